import Testing

/// Suites that need the machine to themselves, because they count what lies in the buffers of its sockets,
/// or hold short times against what was promised.
///
/// The name says so to `scripts/test`, too, which runs them after all others, one after the other.
@Suite(.serialized) enum Alone {}
