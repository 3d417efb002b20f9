import ArgumentParser
import ControlAPI

/// The jobs that a command applies to: some, or all.
struct JobSelection: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The jobs, as j3 or 3.", valueName: "job"),
        completion: NameCompletion.jobs,
        transform: JobName.init(argument:)
    )
    var jobs: [JobName] = []

    @Flag(help: "All jobs for which this makes sense.")
    var all = false

    func validate() throws {
        if all, !jobs.isEmpty { throw ValidationError("Give either jobs or --all.") }
        if !all, jobs.isEmpty { throw ValidationError("Name jobs, as in j3 j4, or give --all.") }
    }

    /// Steers each job and prints its new state.
    ///
    /// - Parameters:
    ///   - action: What to do.
    ///   - done: What was done, such as "Paused".
    ///   - body: The body of the request.
    /// - Throws: ``ClientError``; one job's error doesn't keep the others from being steered.
    func steer(_ action: JobJSON.Steering, done: String, client: ControlClient, body: [UInt8]? = nil) throws {
        let output = Output()
        if all {
            let count = try client.steerAll(action, body: body).changed
            try output.line(
                count == 0 ? "There was nothing to do." : "\(done) \(Quantities.count(count, "job"))."
            )
            try output.flush()
            return
        }
        var worst: ExitStatus?
        for job in jobs {
            do {
                let result = try client.steer(action, job: job.id, body: body)
                try output.line(
                    "j\(result.id) \(result.state.text.safeForTerminal) \(result.name.safeForTerminal)"
                )
            } catch let error as ClientError where error.status != .unreachable {
                Output.note("j\(job.id): \(error.message)")
                worst = error.status
            }
        }
        try output.flush()
        if let worst { throw worst }
    }
}
