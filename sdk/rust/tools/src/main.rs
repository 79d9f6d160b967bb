//! Makes `src/v1.rs` of the .proto files, with the versions that `tools/Cargo.lock` pins. In `sdk/rust`:
//!
//! ```sh
//! cargo run --manifest-path tools/Cargo.toml
//! ```
//!
//! It notes in `tools/generated.sha256` what it has read, what it is itself, and what it has written. While all of these
//! are as noted, the code is current, and the SDK's checks need not build a generator to see that.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use prost_build::{Config, Module};

const HEADER: &str =
    "// Generated from proto/aurum/v1 by `cargo run --manifest-path tools/Cargo.toml`. Not to be edited.\n";
const PROTOS: &str = "../../proto";

fn main() -> Result<(), Box<dyn Error>> {
    std::env::set_current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))?;
    let files = protox::compile(["aurum/v1/play.proto"], [PROTOS])?.file;
    let modules = files.iter().map(|file| (Module::from_protobuf_package_name(file.package()), file.clone()));
    let code = Config::new().generate(modules.collect())?;
    let (_, code) = code.iter().next().ok_or("one package makes one module")?;
    fs::write("src/v1.rs", HEADER.to_owned() + code)?;

    let mut noted: Vec<String> = files.iter().map(|file| format!("{PROTOS}/{}", file.name())).collect();
    noted.extend(["tools/Cargo.lock", "tools/src/main.rs", "src/v1.rs"].map(str::to_owned));
    let sums = Command::new("sha256sum").args(noted).output()?;
    if !sums.status.success() {
        return Err(String::from_utf8_lossy(&sums.stderr).into());
    }
    fs::write("tools/generated.sha256", sums.stdout)?;
    Ok(())
}
