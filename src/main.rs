//! The `worklint` program.

fn main() -> std::process::ExitCode {
    worklint::cli::main()
}
