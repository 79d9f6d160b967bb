//! `src/v1.rs` is what prost makes of the .proto files. To make it anew:
//!
//! ```sh
//! AURUM_REGENERATE=1 cargo test generated
//! ```

use std::path::Path;
use std::{env, fs};

use prost_build::Config;

const HEADER: &str =
    "// Generated from proto/aurum/v1 by `AURUM_REGENERATE=1 cargo test generated`. Not to be edited.\n";

#[test]
fn generated_code_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = protox::compile(["aurum/v1/play.proto"], [root.join("../../proto")]).expect("the .proto files compile");
    let modules =
        files.file.iter().map(|file| (prost_build::Module::from_protobuf_package_name(file.package()), file.clone()));
    let code = Config::new().generate(modules.collect()).expect("they can be said in Rust");
    let current: String = HEADER.to_owned() + code.values().next().expect("one package makes one module");

    let path = root.join("src/v1.rs");
    if env::var_os("AURUM_REGENERATE").is_some() {
        fs::write(&path, &current).expect("src/v1.rs can be written");
    }
    assert!(
        fs::read_to_string(&path).ok() == Some(current),
        "src/v1.rs is not current: run `AURUM_REGENERATE=1 cargo test generated`"
    );
}
