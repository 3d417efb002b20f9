import FleetCore
import TestTraits
import Testing

@testable import facefetch_fleet

/// Tests of jobs that have changed between the moment in which they were chosen and that in which they are steered.
@Suite(
    "Choices that are old when they are carried out",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetChoiceTests {
    private let fleet: Fleet
    /// The connection of nodes and of other people.
    private let queue: FleetQueue
    /// That of the person whose choice is old.
    private let person: FleetQueue

    init() throws {
        fleet = try Fleet(on: .shared())
        queue = try fleet.connect()
        person = try fleet.connect()
    }

    private let slice = ClaimPlan.Claim.slice(jobs: 200, perBucket: 200)
    private let all = JobSelection()

    /// Chooses jobs, and does no more.
    private func choose(_ action: FleetQueue.Steering, _ selection: JobSelection) throws {
        let query = JobQuery.all(selection.among(action.states))
        try person.connection.execute(SteeringStatements.chosen)
        let isRetry = action == .retry
        _ = try person.connection.run([
            isRetry ? SteeringStatements.chooseEnded(query) : SteeringStatements.choose(query)
        ])
    }

    /// Changes the jobs that have been chosen, and returns how many.
    private func change(_ action: FleetQueue.Steering, _ selection: JobSelection) throws -> Int64? {
        let calls = FleetQueue.calls(action, selection.among(action.states), 0)
        return try person.connection.run(calls).last?.first?.integer(0)
    }

    private func listed(_ states: Set<JobSelection.State>) throws -> Set<Int64> {
        Set(try queue.jobs(JobSelection(states), after: 0).map(\.job))
    }

    @Test("What a node has claimed since it was chosen as queued stays with it")
    func claimed() throws {
        try fleet.add(20)
        try choose(.cancel, all.among([.queued]))
        let node = try fleet.node("a", queue)
        let few = ClaimPlan.Claim.slice(jobs: 5, perBucket: 5)
        let items = try #require(try queue.claim(few, for: node, timing: Fleet.timing))
        #expect(try change(.cancel, all.among([.queued])) == 15 && items.count == 5)
        #expect(try queue.withdrawn(of: items.map(\.job)).isEmpty)
    }

    @Test("What was resumed since it was chosen as paused is not cancelled")
    func resumed() throws {
        try fleet.add(10)
        #expect(try queue.steer(.pause, all).changed == 10)
        try choose(.cancel, all.among([.paused]))
        #expect(try queue.steer(.resume, jobs: [1, 2, 3]) == 3)
        #expect(try change(.cancel, all.among([.paused])) == 7)
        #expect(try listed([.queued]) == [1, 2, 3])
    }

    @Test("What was given back since it was chosen as held, or is another node's by now, stays as it is")
    func givenBack() throws {
        try fleet.add(10)
        let first = try fleet.node("a", queue)
        #expect(try queue.claim(slice, for: first, timing: Fleet.timing)?.count == 10)
        let held = all.among([.held])
        try choose(.cancel, held)
        #expect(try queue.steer(.giveBack, jobs: [4, 5]) == 2)
        #expect(try change(.cancel, held) == 8)
        #expect(try listed([.queued]) == [4, 5])
        #expect(try queue.claim(slice, for: first, timing: Fleet.timing)?.count == 2)
        let its = all.with { $0.nodes = ["a"] }
        try choose(.pause, its)
        try queue.leave(first)
        let second = try fleet.node("b", queue)
        #expect(try queue.claim(slice, for: second, timing: Fleet.timing)?.count == 2)
        #expect(try change(.pause, its) == 0 && change(.cancel, its) == 0 && listed([.held]) == [4, 5])
    }

    @Test("A record that is newer than the choice stays, also where its transaction began before")
    func endedAgain() throws {
        try fleet.add(6)
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(try queue.report(items, .failed, by: node).count == 6)
        let other = try fleet.connect()
        // One report's transaction is older than the choice, the other's is younger.
        try queue.connection.execute("BEGIN; SELECT pg_current_xact_id()")
        try choose(.retry, all.among([.failed]))
        #expect(try other.steer(.retry, jobs: [1, 2]) == 2)
        let again = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(try queue.report(again, .failed, by: node).count == 2)
        try queue.connection.execute("COMMIT")
        #expect(try other.steer(.retry, jobs: [3]) == 1)
        let younger = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(try queue.report(younger, .failed, by: node).count == 1)
        #expect(try change(.retry, all.among([.failed])) == 3)
        #expect(try listed([.failed]) == [1, 2, 3])
    }

    @Test("A connection that is lost in the middle leaves word of what was done")
    func lost() throws {
        let part = SteeringStatements.part
        try fleet.add(part + 5, hosts: 3)
        try queue.connection.execute(
            """
            CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF (SELECT count(*) FROM paused) > \(part) THEN
                    PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(60);
                END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER cut AFTER INSERT ON paused FOR EACH STATEMENT EXECUTE FUNCTION cut()
            """
        )
        #expect { try person.steer(.pause, all) } throws: { error in
            let error = error as? FleetQueueError
            return error?.kind == .unreachable
                && error?.description.contains("(\(part) jobs were changed before; ") == true
        }
        #expect(try queue.status().paused == part)
    }

    @Test("So does one that is lost while batches are forgotten")
    func lostForgetting() throws {
        for _ in 0..<11 { try fleet.add(2) }
        #expect(try queue.steer(.cancel, all).changed == 22)
        try queue.connection.execute(
            """
            UPDATE batches SET created_at = now() - interval '9 days';
            UPDATE results SET finished_at = now() - interval '9 days';
            CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF NOT EXISTS (SELECT FROM batches) THEN
                    PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(60);
                END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER cut AFTER DELETE ON batches FOR EACH STATEMENT EXECUTE FUNCTION cut()
            """
        )
        #expect { try person.forget(endedBefore: .seconds(86_400)) } throws: {
            ($0 as? FleetQueueError)?.description.contains("(20 jobs were forgotten before; ") == true
        }
    }
}
