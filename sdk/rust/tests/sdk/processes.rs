//! Bots as processes: what they print and how they end. The bot is `examples/first_card.rs`.

use std::env;
use std::process::{Child, Command, Output, Stdio};

use crate::referee::{Referee, goodbye, scenario, start, turn};

/// The example bot, with these variables in its environment and nothing else.
fn bot(variables: &[(&str, &str)]) -> Child {
    let tests = env::current_exe().expect("this test");
    let built = tests.parent().and_then(|deps| deps.parent()).expect("target/PROFILE/deps");
    let mut command = Command::new(built.join("examples/first_card"));
    command.env_clear().envs(variables.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("examples/first_card.rs was built: run `cargo test` without --test")
}

fn dialling(referee: &Referee) -> Child {
    // A proxy in the environment must not keep a bot from its referee.
    bot(&[("AURUM_ADDRESS", &referee.address), ("AURUM_TOKEN", "secret"), ("http_proxy", "http://127.0.0.1:1")])
}

/// Its exit code, and all that it printed.
fn end(bot: Child) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = bot.wait_with_output().expect("it ends");
    (status.code(), String::from_utf8([stdout, stderr].concat()).expect("text"))
}

#[test]
fn after_the_goodbye_a_bot_exits_without_a_word() {
    let bot = scenario(async {
        let referee = Referee::on_tcp().await;
        let bot = dialling(&referee);
        let mut stream = referee.accept().await;
        stream.welcome(5_000).await;
        stream.say([start(7), turn(7, 1)]);
        assert_eq!(1, stream.hear().await.expect("a message").actions.len());
        stream.say([goodbye()]);
        assert_eq!(None, stream.hear().await);
        bot
    });
    assert_eq!((Some(0), String::new()), end(bot));
}

#[test]
fn a_refused_bot_says_so_and_exits_with_1() {
    let ended = scenario(async {
        let referee = Referee::on_tcp().await;
        let bot = dialling(&referee);
        let mut stream = referee.accept().await;
        stream.end(16, "no seat for this token");
        tokio::task::spawn_blocking(|| end(bot)).await.expect("it ends")
    });
    assert_eq!((Some(1), "aurum: the referee refused: no seat for this token\n".to_owned()), ended);
}

#[test]
fn a_bot_that_nobody_started_says_how_to_start_it_and_exits_with_2() {
    let hint = "bots are started by the arena (arena play --bot NAME=COMMAND ...)\n";
    for (variables, sentence) in [
        (&[][..], format!("aurum: AURUM_ADDRESS is not set: {hint}")),
        (&[("AURUM_ADDRESS", "")], format!("aurum: AURUM_ADDRESS is not set: {hint}")),
        (&[("AURUM_ADDRESS", "127.0.0.1:1")], format!("aurum: AURUM_TOKEN is not set: {hint}")),
        (
            &[("AURUM_ADDRESS", "nowhere"), ("AURUM_TOKEN", "secret")],
            "aurum: \"nowhere\" is no address: host:port or unix:/path is expected\n".to_owned(),
        ),
    ] {
        assert_eq!((Some(2), sentence), end(bot(variables)));
    }
}

#[test]
fn a_signal_ends_a_bot_quietly() {
    for signal in ["-TERM", "-INT"] {
        let ended = scenario(async {
            let referee = Referee::on_tcp().await;
            let bot = dialling(&referee);
            let mut stream = referee.accept().await;
            stream.welcome(5_000).await;
            let id = bot.id().to_string();
            assert!(Command::new("kill").args([signal, &id]).status().expect("kill runs").success());
            tokio::task::spawn_blocking(|| end(bot)).await.expect("it ends")
        });
        assert_eq!((None, String::new()), ended);
    }
}
