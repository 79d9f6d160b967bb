//! The stream to the referee: answers go out as they are ready, and a lost connection is taken up again.
//!
//! The bot thinks on the thread that called [`play`]. A second thread serves the connection meanwhile: it writes
//! what is ready, and answers the referee's pings, without which a bot that thinks for long would be taken for dead.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http::uri::PathAndQuery;
use tokio::runtime;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::client::Grpc;
use tonic::codec::Streaming;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport;
use tonic::{Code, Request, Status};

use crate::address::Address;
use crate::batch::Batch;
use crate::bot::Bot;
use crate::codec::PlayCodec;
use crate::error::Error;
use crate::session::Session;
use crate::v1::PlayRequest;

/// How long to wait for a referee that has never been there.
const FIRST_PATIENCE: Duration = Duration::from_secs(10);

/// Between attempts; the last one counts for all that follow.
const BACKOFF: [Duration; 5] = [
    Duration::from_millis(50),
    Duration::from_millis(100),
    Duration::from_millis(200),
    Duration::from_millis(400),
    Duration::from_millis(500),
];

/// Bytes of a message from the referee.
const MAX_MESSAGE: usize = 4 * 1024 * 1024;

/// How long the referee has to end the stream after its Goodbye: as long as it gives the bot to exit.
const FAREWELL: Duration = Duration::from_secs(1);

/// Plays as `bot` until the referee's Goodbye.
///
/// A connection that is lost is taken up again within the grace that the referee's Welcome granted.
pub fn play(bot: impl Bot, address: &Address, token: &str) -> Result<(), Error> {
    let token = format!("Bearer {token}")
        .parse()
        .map_err(|_| Error::Usage("AURUM_TOKEN holds characters that no token has".to_owned()))?;
    runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|error| Error::Unreachable(format!("no thread for the connection to the referee: {error}")))?
        .block_on(converse(&mut Session::new(bot), address, &token))
}

async fn converse<B: Bot>(
    session: &mut Session<B>,
    address: &Address,
    token: &MetadataValue<Ascii>,
) -> Result<(), Error> {
    let mut lost = Instant::now();
    let mut failures = 0;
    let mut ending = "no answer".to_owned();
    loop {
        let patience = session.grace().unwrap_or(FIRST_PATIENCE);
        let begun = Instant::now();
        let left = patience.saturating_sub(lost.elapsed());
        if left.is_zero() {
            let patience = patience.as_secs_f64();
            return Err(Error::Unreachable(format!("no referee at {address} within {patience} s: {ending}")));
        }
        let status = match timeout(left, Stream::open(address, token, session.hello())).await {
            Ok(Ok(stream)) => match stream.talk(session).await? {
                Some(status) => status,
                None => return Ok(()),
            },
            Ok(Err(status)) => status,
            Err(_) => continue,
        };
        if !is_passing(status.code()) {
            return Err(Error::Refused(status.message().to_owned()));
        }
        ending = status.message().to_owned();
        if session.is_welcomed() {
            lost = Instant::now();
            if begun.elapsed() > BACKOFF[BACKOFF.len() - 1] {
                failures = 0;
            }
        }
        sleep(BACKOFF[failures.min(BACKOFF.len() - 1)]).await;
        failures += 1;
    }
}

/// Whether a stream that ended so is worth taking up again. `Ok` is one that ended without a Goodbye,
/// `ResourceExhausted` what libraries make of a connection that was cut as too busy.
fn is_passing(code: Code) -> bool {
    matches!(
        code,
        Code::Ok
            | Code::Unavailable
            | Code::Cancelled
            | Code::Unknown
            | Code::Internal
            | Code::Aborted
            | Code::ResourceExhausted
    )
}

/// One stream, from the answer to its Hello to its end.
struct Stream {
    outgoing: UnboundedSender<PlayRequest>,
    incoming: Streaming<Bytes>,
}

impl Stream {
    /// Dials, says Hello and waits until the referee begins to answer.
    async fn open(address: &Address, token: &MetadataValue<Ascii>, hello: PlayRequest) -> Result<Stream, Status> {
        let channel = address.endpoint.connect().await.map_err(unavailable)?;
        let mut client = Grpc::new(channel).max_decoding_message_size(MAX_MESSAGE);
        client.ready().await.map_err(unavailable)?;

        let (outgoing, requests) = mpsc::unbounded_channel();
        let _ = outgoing.send(hello);
        let mut call = Request::new(UnboundedReceiverStream::new(requests));
        call.metadata_mut().insert("authorization", token.clone());
        let path = PathAndQuery::from_static("/aurum.v1.RefereeService/Play");
        let incoming = client.streaming(call, path, PlayCodec).await?.into_inner();
        Ok(Stream { outgoing, incoming })
    }

    /// Answers turns until the referee says Goodbye, or the stream ends in some other way, which is returned.
    async fn talk<B: Bot>(mut self, session: &mut Session<B>) -> Result<Option<Status>, Error> {
        loop {
            let bytes = match self.incoming.message().await {
                Ok(Some(bytes)) => bytes,
                Ok(None) => return Ok(Some(Status::ok("the stream ended without a Goodbye"))),
                Err(status) => return Ok(Some(status)),
            };
            let received = Instant::now();
            // If the stream is over by now, reading on says so, after what the referee has said before.
            let mut batch = Batch::new(received, |request| drop(self.outgoing.send(request)));
            session.receive(&bytes, received, |action| batch.add(action, Instant::now()))?;
            batch.send();
            if session.goodbye().is_some() {
                drop(self.outgoing);
                // What still comes is not for this bot, and a referee that does not end the stream is not waited for.
                let _ = timeout(FAREWELL, async { while let Ok(Some(_)) = self.incoming.message().await {} }).await;
                return Ok(None);
            }
        }
    }
}

/// The first cause of a failed connection, in the words of the system.
fn unavailable(error: transport::Error) -> Status {
    let mut cause: &dyn std::error::Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    Status::unavailable(cause.to_string())
}
