//! worklint reads the markdown files through which people and AI agents coordinate work on one repository,
//! turns them into typed events, and judges them.
//!
//! The modules are layers; each may use only those before it:
//! [`text`] ← [`model`] ← [`finding`] ← [`grammar`] ← { [`signals`] | [`squad`] } ← [`history`] ← [`rules`]
//! ← { [`report`] | [`emit`] | [`config`] } ← [`cli`].

pub mod cli;
pub mod config;
pub mod emit;
pub mod finding;
pub mod grammar;
pub mod history;
pub mod model;
pub mod report;
pub mod rules;
pub mod signals;
pub mod squad;
pub mod text;

/// What allocates memory in the program, its tests and its benchmarks.
#[cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;
