import ExportFormats
import Glibc
import Vocabulary

/// Running programs, and what their ends mean.
extension FollowRun {
    /// Starts programs, as many as may run.
    func start() {
        while ending == nil, running.count < options.jobs, let number = ledger.next(now: now) {
            ledger.begin(number)
            if let entry = fresh.removeValue(forKey: number) {
                start(number, entry.job, entry.json)
            } else {
                startAgain(number)
            }
        }
    }

    /// Asks again for what was put off, or was under way when this last ended; what has moved on since
    /// comes under its new number.
    private func startAgain(_ number: Int64) {
        do {
            guard let page = try ask(after: number - 1, limit: 1) else {
                return ledger.postpone(number, until: now + 1)
            }
            guard let item = page.items.first, item.job.ended == number else { return settle(number) }
            start(number, item.job, Array(page.bytes[item.place]))
        } catch {
            ledger.postpone(number, until: now + 10)
        }
    }

    private func start(_ number: Int64, _ job: ExportedJob, _ json: [UInt8]) {
        do throws(RunningProgram.NotStarted) {
            let program = try RunningProgram(
                options.template.filled(for: job),
                environment: job.environment(socket: client.socketPath),
                input: json + [UInt8(ascii: "\n")],
                timeout: options.timeout
            )
            running[number] = (program, job)
        } catch {
            let reason = String(cString: strerror(error.number))
            guard error.number != E2BIG else {
                say(job, "can't be started (\(reason)), and is not tried again")
                return settle(number)
            }
            // What is missing now, memory or the program, may be there later.
            let pause = ledger.putOff(number, now: now)
            say(job, "can't be started (\(reason)); it is tried again in \(Quantities.duration(pause))")
        }
    }

    /// Takes note of programs that ended, and ends those whose time is up.
    func reap() throws {
        for (number, entry) in running {
            if let result = entry.program.ending() {
                running[number] = nil
                if entry.program.warnings > 0 { entry.program.sweep() }
                settle(number, entry.job, result, wasWarned: entry.program.warnings > 0)
            } else if let deadline = entry.program.deadline, deadline <= .now {
                running[number]?.program.warn()
            }
        }
    }

    private func settle(
        _ number: Int64,
        _ job: ExportedJob,
        _ result: RunningProgram.Ending,
        wasWarned: Bool
    ) {
        if case .status(0) = result { return settle(number) }
        // Ended with this process: it is run again next time.
        if ending != nil, wasWarned { return ledger.postpone(number, until: .infinity) }
        if case .status(Self.again) = result, !wasWarned {
            ledger.putOff(number, now: now)
            isDirty = true
            return
        }
        let seconds = Quantities.duration(options.timeout ?? 0)
        switch result {
        case _ where wasWarned:
            say(job, "took longer than \(seconds) and was ended; it is not run again for this")
        case .status(let status): say(job, "ended with status \(status); it is not run again for this")
        case .signal(let signal): say(job, "was ended by signal \(signal); it is not run again for this")
        }
        settle(number)
    }

    private func settle(_ number: Int64) {
        ledger.settle(number)
        isDirty = true
    }

    private func say(_ job: ExportedJob, _ what: String) {
        Output.note(
            "\(JobID(job.id)), \(job.ending ?? job.state): \(options.template.program.safeForTerminal) \(what)."
        )
    }
}
