//! Messages of a stream: requests are encoded here, responses are left as bytes for the session to read.

use bytes::{Buf, Bytes};
use prost::Message;
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

use crate::v1::PlayRequest;

/// The codec of `RefereeService.Play`.
pub(crate) struct PlayCodec;

impl Codec for PlayCodec {
    type Encode = PlayRequest;
    type Decode = Bytes;
    type Encoder = PlayCodec;
    type Decoder = PlayCodec;

    fn encoder(&mut self) -> PlayCodec {
        PlayCodec
    }

    fn decoder(&mut self) -> PlayCodec {
        PlayCodec
    }
}

impl Encoder for PlayCodec {
    type Item = PlayRequest;
    type Error = Status;

    fn encode(&mut self, request: PlayRequest, buffer: &mut EncodeBuf) -> Result<(), Status> {
        request.encode(buffer).map_err(|error| Status::internal(error.to_string()))
    }
}

impl Decoder for PlayCodec {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf) -> Result<Option<Bytes>, Status> {
        Ok(Some(buffer.copy_to_bytes(buffer.remaining())))
    }
}
