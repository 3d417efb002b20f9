import ArgumentParser
import Glibc

/// Where the process begins: reads the command line, carries it out, and ends
/// with a status of ``ExitStatus``.
@main
enum Main {
    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Carries out one command line.
    static func run(_ arguments: [String]) -> ExitStatus {
        do {
            if let message = CommandSuggestion.complaint(about: arguments) { throw ClientError.usage(message) }
            var command = try Facefetch.parseAsRoot(arguments)
            try command.run()
            return .done
        } catch let error as ClientError {
            Output.note(error.message)
            return error.status
        } catch let status as ExitStatus {
            return status
        } catch {
            return report(parserError: error)
        }
    }

    /// Prints what ArgumentParser has to say: help and version, or what is
    /// wrong with the command line. Its own status for the latter, 64, becomes 2.
    private static func report(parserError error: any Error) -> ExitStatus {
        if Facefetch.exitCode(for: error) == .success {
            print(Facefetch.fullMessage(for: error))
            return .done
        }
        guard Facefetch.exitCode(for: error) == .validationFailure else {
            Output.note("\(error)".safeForTerminal)
            return .unsuccessful
        }
        // The sentence, then the usage lines that say which command's they are.
        let full = Facefetch.fullMessage(for: error)
        let text = full.hasPrefix("Error: ") ? String(full.dropFirst("Error: ".count)) : full
        Output.note(text.split(separator: "\n").map { String($0).safeForTerminal }.joined(separator: "\n"))
        return .usage
    }
}

/// A command that has said all it has to say ends by throwing its status.
extension ExitStatus: Error {}
