import Foundation

/// Measures facefetch beside the programs that people would use instead, and prints one table.
///
/// Ours and theirs run in turns on the same nginx and the same memory disk; what counts is the
/// median of the ratios of such pairs, ours ÷ theirs, since machines change their speed as they please.
@main
struct Bench {
    static func main() {
        do {
            try run()
        } catch {
            FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run() throws {
        guard CommandLine.arguments.count == 1 else {
            throw BenchError.usage("settings such as ONLY=small go into the environment; see make help")
        }
        let plan = try Plan(environment: ProcessInfo.processInfo.environment)
        let workshop = try Workshop(plan: plan)
        defer { workshop.close() }
        print(plan.heading)
        print(Table.heading)
        for measure in plan.measures {
            for row in try measure.run(workshop) { print(Table.line(row)) }
            fflush(nil)
        }
        print(Table.legend)
    }
}
