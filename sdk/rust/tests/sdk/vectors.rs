//! The cases that every SDK is tested with: `sdk/vectors`.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use prost::Message;
use serde_json::Value;

/// The list of a name in `FILE.json`.
pub fn cases(file: &str, name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../vectors/{file}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cases = list(&value[name]);
    assert!(!cases.is_empty(), "{file}.json has no {name}");
    cases.clone()
}

pub fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

/// What a `*_wire` holds.
pub fn bytes(wire: &Value) -> Vec<u8> {
    BASE64_STANDARD.decode(text(wire)).unwrap_or_else(|error| panic!("{wire}: {error}"))
}

/// The message that a `*_wire` holds.
pub fn message<M: Message + Default>(wire: &Value) -> M {
    M::decode(bytes(wire).as_slice()).unwrap_or_else(|error| panic!("{wire}: {error}"))
}
