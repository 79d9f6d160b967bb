//! Where the referee listens.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tonic::transport::Endpoint;

use crate::error::Error;

/// `host:port`, or `unix:/path` for a Unix-domain socket.
#[derive(Clone, Debug)]
pub struct Address {
    text: String,
    pub(crate) endpoint: Endpoint,
}

impl FromStr for Address {
    type Err = Error;

    fn from_str(text: &str) -> Result<Address, Error> {
        let uri = if text.starts_with("unix:/") {
            Some(text.to_owned())
        } else {
            text.rsplit_once(':')
                .filter(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
                .map(|_| format!("http://{text}"))
        };
        let endpoint = uri
            .and_then(|uri| Endpoint::from_shared(uri).ok())
            .ok_or_else(|| Error::Usage(format!("{text:?} is no address: host:port or unix:/path is expected")))?
            // The referee's end of a connection can vanish without a word: asking every ten seconds finds out.
            .http2_keep_alive_interval(Duration::from_secs(10))
            .keep_alive_timeout(Duration::from_secs(5));
        Ok(Address { text: text.to_owned(), endpoint })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_sockets_are_addresses() {
        for text in ["127.0.0.1:40123", "localhost:1", "[::1]:65535", "unix:/tmp/a b/arena.sock"] {
            assert_eq!(text, text.parse::<Address>().expect(text).to_string());
        }
    }

    #[test]
    fn anything_else_is_refused_in_a_sentence() {
        for text in ["", "localhost", ":80", "host:", "host:port", "host:70000", "unix:relative", "a b:1"] {
            let expected = format!("{text:?} is no address: host:port or unix:/path is expected");
            assert_eq!(Some(Error::Usage(expected)), text.parse::<Address>().err());
        }
    }
}
