import ControlServer
import Settings

/// A part of the daemon: something in ``Daemon/parts``, which start, reload, stop and status go through.
///
/// A part says only what it has to do with them; the rest is nothing.
protocol Part: Sendable {
    /// A function that puts settings in force, and can't fail.
    typealias Change = @Sendable () -> Void

    /// Takes up what it has, before the engine begins to work.
    func load(on ground: Ground) async throws(StartFailure)

    /// Gets ready for settings, and returns what puts them in force once all parts are ready and the engine works; nil
    /// if they are no matter to it, or are in force.
    func configure(_ settings: DaemonSettings) async throws(StartFailure) -> Change?

    /// Gives the control server what it shows of this part.
    func show(in configuration: inout ControlServerConfiguration)

    /// True if its stop takes its time, which is that of others, too.
    var isSlowToStop: Bool { get }

    /// Begins nothing any more, while the engine still works.
    func stop() async

    /// Ends, once the engine has.
    func finish() async
}

extension Part {
    func load(on ground: Ground) {}
    func configure(_ settings: DaemonSettings) -> Change? { nil }
    func show(in configuration: inout ControlServerConfiguration) {}
    var isSlowToStop: Bool { false }
    func stop() {}
    func finish() {}
}

extension [any Part] {
    /// Has all parts get ready for settings, and returns what puts these in force in the order of the list.
    func configure(_ settings: DaemonSettings) async throws(StartFailure) -> Part.Change {
        var changes: [Part.Change] = []
        for part in self { if let change = try await part.configure(settings) { changes.append(change) } }
        return { [changes] in for change in changes { change() } }
    }

    /// Stops the parts in reverse, and `core`, which works for them, between their stop and their end.
    func stop(_ core: () async -> Void) async {
        await withTaskGroup { slow in
            for part in reversed() {
                if part.isSlowToStop { slow.addTask { await part.stop() } } else { await part.stop() }
            }
            await core()
        }
        for part in reversed() { await part.finish() }
    }
}
