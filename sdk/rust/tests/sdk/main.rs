//! What must be true of the SDK. One program, so that it is linked once.

mod cards;
mod connections;
mod processes;
mod referee;
mod sessions;
mod turns;
mod vectors;
