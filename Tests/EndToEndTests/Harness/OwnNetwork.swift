import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A network of its own in which every address there is, public ones too, is this machine's: for who
/// may make one (root).
///
/// Nothing in it reaches any other.
final class OwnNetwork: Sendable {
    /// The reason why the tests that need one are skipped, if they are.
    static let comment: Comment = "a network of its own can only be made by root"
    /// True if this process may make one.
    static let isPossible: Bool = (try? OwnNetwork()) != nil
    /// True if there is IPv6 in it.
    static let hasIPv6: Bool = (try? OwnNetwork())?.takesIPv6 ?? false

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let descriptor: Int32
    private let takesIPv6: Bool

    init() throws {
        (descriptor, takesIPv6) = try Self.onThreadOfItsOwn {
            guard let unshare = Self.call("unshare", as: (@convention(c) (Int32) -> Int32).self),
                unshare(Self.networks) == 0
            else { throw Failure(description: "unshare: \(String(cString: strerror(errno)))") }
            for command in [
                ["link", "set", "lo", "up"], ["route", "add", "local", "0.0.0.0/0", "dev", "lo"],
            ] {
                guard try Self.ip(command) else { throw Failure(description: "ip \(command)") }
            }
            let takesIPv6 = try Self.ip(["-6", "route", "add", "local", "::/0", "dev", "lo"])
            let descriptor = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Failure(description: "there is no /proc/thread-self/ns/net") }
            return (descriptor, takesIPv6)
        }
    }

    deinit { close(descriptor) }

    /// Does something inside: sockets that it makes, and programs that it starts, belong there.
    func inside<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
        let descriptor = descriptor
        return try Self.onThreadOfItsOwn {
            guard let enter = Self.call("setns", as: (@convention(c) (Int32, Int32) -> Int32).self),
                enter(descriptor, Self.networks) == 0
            else { throw Failure(description: "setns: \(String(cString: strerror(errno)))") }
            return try body()
        }
    }

    /// Lets so much through altogether, such as `2mbit` a second, in both directions.
    func slow(to rate: String) throws {
        try inside {
            // Packets of the loopback's usual length would come in jerks.
            guard try Self.ip(["link", "set", "lo", "mtu", "1500"]) else {
                throw Failure(description: "ip link set lo mtu")
            }
            let tc = Shell.find("tc") ?? "/usr/sbin/tc"
            let limit = ["qdisc", "add", "dev", "lo", "root", "tbf", "rate", rate]
            let result = try Shell.run([tc] + limit + ["burst", "16kb", "latency", "400ms"])
            guard result.status == 0 else { throw Failure(description: "tc: \(result.output)") }
        }
    }

    /// Takes away the way to all addresses but those of loopback, and leaves a route that leads nowhere, as a router
    /// does whose provider is down.
    func loseLine() throws {
        try run(
            ["route", "del", "local", "0.0.0.0/0", "dev", "lo"],
            ["link", "add", "ff0", "type", "veth", "peer", "name", "ff1"],
            ["address", "add", "192.0.2.2/24", "dev", "ff0"],
            ["link", "set", "ff0", "up"],
            ["link", "set", "ff1", "up"],
            ["route", "add", "default", "via", "192.0.2.1"]
        )
    }

    /// Gives back what ``loseLine()`` took away; the route stays.
    func regainLine() throws { try run(["route", "add", "local", "0.0.0.0/0", "dev", "lo"]) }

    private func run(_ commands: [String]...) throws {
        try inside {
            for command in commands {
                guard try Self.ip(command) else { throw Failure(description: "ip \(command)") }
            }
        }
    }

    /// CLONE_NEWNET of namespaces(7), which Swift's Glibc lacks as it does the calls that take it.
    private static let networks: Int32 = 0x4000_0000

    private static func call<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    }

    private static func ip(_ arguments: [String]) throws -> Bool {
        try Shell.run([Shell.find("ip") ?? "/usr/sbin/ip"] + arguments).status == 0
    }

    /// A thread is in a network for as long as it lives.
    private static func onThreadOfItsOwn<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) throws -> Result {
        let answer = Answer<Result>()
        Thread { answer.give(Swift.Result { try body() }) }.start()
        return try answer.wait().get()
    }

    /// A value that a thread gives to the one that waits for it.
    private final class Answer<Value: Sendable>: Sendable {
        private let value = Mutex<Swift.Result<Value, any Error>>(.failure(Failure(description: "no answer")))
        private let isThere = DispatchSemaphore(value: 0)

        func give(_ answer: Swift.Result<Value, any Error>) {
            value.withLock { $0 = answer }
            isThere.signal()
        }

        func wait() -> Swift.Result<Value, any Error> {
            isThere.wait()
            return value.withLock { $0 }
        }
    }
}
