//! A referee that a test plays the part of, on a real socket.
//!
//! It speaks HTTP/2 and gRPC's framing by itself, so that it can say what a proper server never would.

use std::future::Future;
use std::io;
use std::path::Path;
use std::time::Duration;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use h2::server::{self, SendResponse};
use h2::{Ping, PingPong, RecvStream, SendStream};
use http::{HeaderMap, Request, Response};
use prost::Message;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::runtime;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use aurum::v1::{GameStart, Goodbye, PlayRequest, PlayResponse, Turn, Update, Welcome, update::Kind};
use aurum::{Card, Phase};

/// No test takes a tenth of this.
pub const LIMIT: Duration = Duration::from_secs(60);

/// Plays a scenario to its end.
pub fn scenario<T>(scenario: impl Future<Output = T>) -> T {
    let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { timeout(LIMIT, scenario).await.expect("within the limit") })
}

/// Where bots dial in.
pub struct Referee {
    pub address: String,
    listener: Listener,
}

enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Referee {
    pub async fn on_tcp() -> Referee {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound").to_string();
        Referee { address, listener: Listener::Tcp(listener) }
    }

    pub fn on_unix(path: &Path) -> Referee {
        Referee {
            address: format!("unix:{}", path.display()),
            listener: Listener::Unix(UnixListener::bind(path).expect("a socket")),
        }
    }

    /// The next stream that a bot opens, on a connection of its own.
    pub async fn accept(&self) -> Stream {
        match &self.listener {
            Listener::Tcp(listener) => Stream::on(listener.accept().await.expect("a connection").0).await,
            Listener::Unix(listener) => Stream::on(listener.accept().await.expect("a connection").0).await,
        }
    }
}

/// One stream of a bot.
pub struct Stream {
    pub call: Request<()>,
    pub pings: PingPong,
    connection: JoinHandle<()>,
    body: RecvStream,
    unread: BytesMut,
    respond: SendResponse<Bytes>,
    responding: Option<SendStream<Bytes>>,
}

impl Stream {
    async fn on(socket: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) -> Stream {
        let mut connection = server::handshake(socket).await.expect("HTTP/2");
        let pings = connection.ping_pong().expect("asked for once");
        let (call, respond) = connection.accept().await.expect("a call").expect("a proper one");
        let (head, body) = call.into_parts();
        Stream {
            call: Request::from_parts(head, ()),
            pings,
            connection: tokio::spawn(async move { while let Some(Ok(_)) = connection.accept().await {} }),
            body,
            unread: BytesMut::new(),
            respond,
            responding: None,
        }
    }

    /// The next message; `None` once the bot has half-closed the stream.
    pub async fn hear(&mut self) -> Option<PlayRequest> {
        loop {
            if let Some(request) = self.unread_message() {
                return Some(request);
            }
            let data = match self.body.data().await {
                Some(data) => data.expect("a stream in order"),
                None => return None,
            };
            self.body.flow_control().release_capacity(data.len()).expect("it was taken up");
            self.unread.extend_from_slice(&data);
        }
    }

    fn unread_message(&mut self) -> Option<PlayRequest> {
        let length = self.unread.get(1..5)?.get_u32() as usize;
        if self.unread.len() < 5 + length {
            return None;
        }
        self.unread.advance(5);
        Some(PlayRequest::decode(self.unread.split_to(length)).expect("a PlayRequest"))
    }

    /// Hears a Hello, and bids welcome with a grace in milliseconds.
    pub async fn welcome(&mut self, reconnect_grace_ms: u32) {
        let hello = self.hear().await.expect("a first message").hello.expect("a Hello");
        assert_eq!(("rust", 1), (hello.language.as_str(), hello.protocol_version));
        let welcome = Welcome { protocol_version: 1, reconnect_grace_ms, players: 4, ..Welcome::default() };
        self.say_bytes(&PlayResponse { welcome: Some(welcome), updates: Vec::new() }.encode_to_vec());
    }

    pub fn say(&mut self, updates: impl IntoIterator<Item = Kind>) {
        let updates = updates.into_iter().map(|kind| Update { kind: Some(kind) }).collect();
        self.say_bytes(&PlayResponse { welcome: None, updates }.encode_to_vec());
    }

    /// Sends bytes in the place of a message.
    pub fn say_bytes(&mut self, bytes: &[u8]) {
        let mut framed = BytesMut::new();
        framed.put_u8(0);
        framed.put_u32(bytes.len().try_into().expect("a message"));
        framed.put_slice(bytes);
        let respond = &mut self.respond;
        let responding = self.responding.get_or_insert_with(|| {
            let head = Response::builder().header("content-type", "application/grpc");
            respond.send_response(head.body(()).expect("a head"), false).expect("an open stream")
        });
        responding.send_data(framed.freeze(), false).expect("an open stream");
    }

    /// Ends the stream with a status of gRPC.
    pub fn end(&mut self, code: i32, sentence: &str) {
        let mut status = HeaderMap::new();
        status.insert("grpc-status", code.into());
        status.insert("grpc-message", sentence.parse().expect("a header"));
        match &mut self.responding {
            Some(responding) => responding.send_trailers(status).expect("an open stream"),
            None => {
                let mut head = Response::builder().header("content-type", "application/grpc").body(()).expect("a head");
                head.headers_mut().extend(status);
                self.respond.send_response(head, true).expect("an open stream");
            }
        }
    }

    /// Cuts the connection.
    pub async fn cut(self) {
        self.connection.abort();
        let _ = self.connection.await;
    }

    /// Asks for a sign of life, as a referee does after ten quiet seconds.
    pub async fn ping(&mut self) {
        self.pings.ping(Ping::opaque()).await.expect("a sign of life");
    }
}

/// A game of that number begins.
pub fn start(game: u64) -> Kind {
    Kind::GameStart(GameStart { game, players: 4, ..GameStart::default() })
}

/// A turn that may be answered with B3 or B9.
pub fn turn(game: u64, number: u32) -> Kind {
    Kind::Turn(Turn {
        game,
        number,
        phase: Phase::Lead.into(),
        legal_cards: vec![Card::B3.into(), Card::B9.into()],
        time_left_ms: 60_000,
        ..Turn::default()
    })
}

pub fn goodbye() -> Kind {
    Kind::Goodbye(Goodbye { reason: "the games are over".to_owned() })
}

/// A path for a socket that nothing else uses.
pub fn socket_path(name: &str) -> io::Result<std::path::PathBuf> {
    let path = std::env::temp_dir().join(format!("aurum-{}-{name}", std::process::id()));
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(path),
    }
}
