import Foundation

/// A port on loopback whose connections go to several servers in turn, like those of a name behind which servers differ.
public final class ServerSwitch: Sendable {
    /// The port it listens at on 127.0.0.1.
    public let port: UInt16
    private let listener: OriginSocket

    /// Listens, and leads the first connections to these ports on 127.0.0.1, one after the other, and all further ones to
    /// the last of them.
    public init(to ports: [UInt16]) throws {
        (listener, port) = try OriginSocket.listen(at: "127.0.0.1", port: 0)
        let listener = listener
        Thread {
            var rest = ports[...]
            while let near = listener.accept(), let port = rest.count > 1 ? rest.popFirst() : rest.first {
                guard let far = OriginSocket.connect(to: "127.0.0.1", port: port) else {
                    near.close()
                    continue
                }
                Self.join(near, far)
            }
        }.start()
    }

    /// Takes no more connections; those that there are go on.
    public func stop() { listener.shutDown() }

    /// The URL of a path, by https.
    public func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

    /// Passes on what comes at either end of two connections, until one of them ends.
    private static func join(_ near: OriginSocket, _ far: OriginSocket) {
        let isBack = DispatchSemaphore(value: 0)
        Thread {
            pass(from: far, to: near)
            isBack.signal()
        }.start()
        Thread {
            pass(from: near, to: far)
            isBack.wait()
            near.close()
            far.close()
        }.start()
    }

    private static func pass(from source: OriginSocket, to target: OriginSocket) {
        while let bytes = source.receive(), target.send(bytes[...]) {}
        source.shutDown()
        target.shutDown()
    }
}
