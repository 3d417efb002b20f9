/// Something that a test waited for has not come about.
public struct WaitedInVain: Error, CustomStringConvertible {
    /// The line that waited.
    public let description: String
}

/// Lets others go on for as long as a condition holds.
///
/// The five minutes are far beyond what any test waits for: they only keep one that has failed from holding up the
/// others for ever.
///
/// - Throws: ``WaitedInVain`` if it still holds after five minutes; an error of the condition, or a cancellation.
public func waitWhile(
    file: StaticString = #fileID,
    line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + .seconds(300)
    while try await condition() {
        try Task.checkCancellation()
        guard .now < deadline else { throw WaitedInVain(description: "\(file):\(line) waited in vain") }
        await Task.yield()
    }
}
