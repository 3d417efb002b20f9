import ArgumentParser
import ControlAPI
import Vocabulary

/// The jobs that a command applies to: some that are named, those that a filter lets through, or all.
struct JobSelection: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The jobs, as j3 or 3.", valueName: "job"),
        completion: NameCompletion.jobs,
        transform: JobName.init(argument:)
    )
    var jobs: [JobName] = []

    @Flag(help: "All jobs for which this makes sense.")
    var all = false

    @OptionGroup(title: "Which jobs") var filter: JobFilterOptions

    func validate() throws {
        switch [all, !jobs.isEmpty, !filter.isEmpty].count(where: \.self) {
        case 0:
            throw ValidationError(
                "Name jobs, as in j3 j4, or give --all, or say which with --batch, --state and the like."
            )
        case 1: return
        default:
            throw ValidationError("Give either jobs, or --all, or --batch, --state and the like.")
        }
    }

    /// Steers each job and prints what was done.
    ///
    /// - Parameters:
    ///   - action: What to do.
    ///   - body: The body of the request.
    /// - Throws: ``ClientError``; one job's error doesn't keep the others from being steered.
    func steer(_ action: JobAction, client: ControlClient, body: [UInt8]? = nil) throws {
        let output = Output()
        guard !jobs.isEmpty else {
            let done = try client.steerAll(action, filter.query, body: body)
            if !filter.isEmpty, done.matched == 0 {
                try filter.refuseStrangers(client)
                throw ClientError.unsuccessful("No job matches: nothing was done.")
            }
            try output.line(SteeringWords.sentence(action, done.changed, matched: done.matched))
            try output.flush()
            return
        }
        var worst: ExitStatus?
        for job in jobs {
            do {
                // A retry changes nothing where the job is on its way already, which its answer doesn't tell.
                var before: JobState?
                if action == .retry, body == nil { before = try? client.job(job.id).state.known }
                let result = try client.steer(action, job: job.id, body: body)
                try output.line(SteeringWords.line(action, result, before: before))
            } catch let error as ClientError where error.status != .unreachable {
                Output.note("\(JobID(job.id)): \(error.message)")
                worst = error.status
            }
        }
        try output.flush()
        if let worst { throw worst }
    }
}
