import FleetCore
import Foundation
import TestTraits
import Testing

@testable import facefetch_fleet

/// Nodes that come, go, and are gone.
@Suite(
    "The nodes of a fleet",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetNodesTests {
    private let fleet: Fleet

    init() throws { fleet = try Fleet(on: .shared()) }

    private let slice = ClaimPlan.Claim.slice(jobs: 200, perBucket: 200)

    @Test("How the fleet stands is told also when nodes were stopped or declared dead, and since when")
    func statusOfGone() throws {
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        let stopped = try fleet.node("stopped", queue)
        try queue.leave(stopped)
        let dead = try fleet.node("dead", queue)
        try fleet.expire(dead, queue)
        _ = try fleet.node("alive", other)
        let nodes = try queue.status().nodes
        #expect(nodes.map(\.name) == ["alive", "dead", "stopped"])
        #expect(nodes.map { $0.lease != nil } == [true, false, false])
        #expect(nodes.map { $0.goneSince?.hasSuffix("Z") == true } == [false, true, true])
        _ = try fleet.node("stopped", queue)
        #expect(try queue.status().nodes.last?.goneSince == nil)
    }

    @Test("A node that is gone for good is removed, with what it held, and comes back if its agent does")
    func removes() throws {
        try fleet.add(50)
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(try other.remove(node: "a", timing: Fleet.timing) == .lives)
        #expect(try other.remove(node: "b", timing: Fleet.timing) == .unknown)
        // There is nobody else who would declare it dead.
        try fleet.expire(node, other)
        #expect(try other.remove(node: "a", timing: Fleet.timing) == .removed)
        #expect(try other.remove(node: "a", timing: Fleet.timing) == .unknown)
        #expect(try other.status().nodes.isEmpty)
        #expect(try queue.report(items, by: node).isEmpty && queue.beat(node, timing: Fleet.timing) == .dead)
        let again = try fleet.node("a", queue)
        #expect(again.id == node.id && again.incarnation == node.incarnation + 1)
        #expect(try other.status().nodes.map(\.name) == ["a"])
        #expect(try queue.claim(slice, for: again, timing: Fleet.timing)?.count == 50)
    }

    @Test("A daemon whose newest ending is older than what was read of it is read from the beginning, once")
    func rewinds() throws {
        try fleet.add(3)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        _ = try queue.report(try #require(try queue.claim(slice, for: node, timing: Fleet.timing)), by: node)
        func again(_ store: String, _ newest: Int64) throws -> FleetQueue.Node {
            try queue.register(name: "a", store: store, newest: newest, timing: Fleet.timing)
        }
        #expect(try again("s", 7).event == 7)
        let restored = try again("s", 6)
        #expect(restored.event == 0 && restored.isRewound)
        let next = try again("s", 6)
        #expect(next.event == 0 && !next.isRewound)
        try queue.leave(next)
        #expect(try !again("other", 0).isRewound)
    }

    @Test("Two agents of one daemon, or of a daemon and a copy of its state, don't live side by side")
    func twins() throws {
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        let node = try queue.register(name: "a", store: "same", timing: Fleet.timing)
        #expect(throws: FleetQueueError.self) {
            try other.register(name: "b", store: "same", timing: Fleet.timing)
        }
        #expect(try queue.register(name: "a", store: "same", timing: Fleet.timing).id == node.id)
        try fleet.expire(node, queue)
        #expect(try other.register(name: "b", store: "same", timing: Fleet.timing).id != node.id)
    }

    @Test("Two agents of different daemons don't live under one name")
    func namesakes() throws {
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        let node = try queue.register(name: "a", store: "one", timing: Fleet.timing)
        func meet() throws -> FleetQueue.Node {
            try other.register(name: "a", store: "two", timing: Fleet.timing)
        }
        let error = #expect(throws: FleetQueueError.self) { try meet() }
        #expect(error?.description.contains("give each node a name of its own") == true)
        #expect(try queue.register(name: "a", store: "one", timing: Fleet.timing).id == node.id)
        try fleet.expire(node, queue)
        #expect(try meet().id == node.id)
    }
}
