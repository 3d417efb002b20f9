import ArgumentParser
import Glibc

/// The main program, which runs the command line and exits with an ``ExitStatus``.
@main
enum Main {
    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Runs a command line.
    static func run(_ arguments: [String]) -> ExitStatus {
        do {
            if let message = CommandSuggestion.complaint(about: arguments) {
                throw ClientError.usage(message)
            }
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

    /// Prints ArgumentParser's output: help and version, or what is wrong with the command line.
    ///
    /// ArgumentParser's own status for the latter, 64, becomes 2.
    private static func report(parserError error: any Error) -> ExitStatus {
        if Facefetch.exitCode(for: error) == .success {
            print(Facefetch.fullMessage(for: error))
            return .done
        }
        guard Facefetch.exitCode(for: error) == .validationFailure else {
            Output.note("\(error)".safeForTerminal)
            return .unsuccessful
        }
        Output.note(
            complaint(Facefetch.message(for: error), full: Facefetch.fullMessage(for: error)).safeForTerminal
        )
        return .usage
    }
}

extension Main {
    /// Returns what is wrong with the command line, with a pointer to the command's help.
    ///
    /// - Parameters:
    ///   - message: ArgumentParser's sentence.
    ///   - full: Its full output with usage lines, the last of which names the help.
    static func complaint(_ message: String, full: String) -> String {
        let pointer = full.split(separator: "\n").last { $0.contains("See '") }
        let command = pointer?.split(separator: "'").dropFirst().first ?? "facefetch --help"
        // Choices come as a list with a line each.
        let lines = message.split(separator: "\n").map { $0.drop { $0 == " " } }
        let choices = lines.filter { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }
        let words = lines.filter { !$0.hasPrefix("- ") } + [choices.joined(separator: ", ")[...]]
        let sentence = words.filter { !$0.isEmpty }.joined(separator: " ").endedSentence
        return "\(sentence) See \"\(command)\"."
    }
}
