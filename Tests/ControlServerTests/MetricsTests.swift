import Glibc
import JobEngine
import JobModel
import TestSupport
import TestTraits
import Testing
import Vocabulary

@testable import ControlServer

@Suite("The metrics", .ownThread)
struct MetricsTests {
    /// The strict parser of Prometheus' client for Python (Debian's python3-prometheus-client).
    private static let parser = """
        import sys
        from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
        print(len(list(parse(open(sys.argv[1]).read()))))
        """
    private static let python = "/usr/bin/python3"
    private static let hasParser = (try? Shell.run([python, "-c", "import \(module)"]).status) == 0
    private static let module = "prometheus_client.openmetrics.parser"

    /// A configuration with detectors.
    private func configuration() -> ControlServerConfiguration {
        var configuration = testConfiguration()
        configuration.detectors = {
            var status = DetectorPoolStatus()
            status.busy = 1
            status.idle = 1
            status.started = 3
            return status
        }
        return configuration
    }

    /// Makes a bit of everything happen, and waits until it has been counted.
    private func metricsAfterWork(_ server: RunningServer) async throws -> String {
        try await server.addFiles(2)
        let failure = JobFailure(.timedOut, "it took \"too\" long\n")
        try await server.engine.end(1, .interrupted(failure, retryAfter: nil))
        _ = try await server.send("POST", "/v1/jobs/2/pause")
        try await server.engine.end(2, .stopped)
        _ = try await server.send("POST", "/v1/jobs/1/retry")
        server.engine.pass(seconds: 1)
        try await server.engine.store(1)
        try await server.engine.look(
            1,
            faces: (1...3).map { Face(x: $0, y: 1, width: 9, height: 9, confidence: 1) }
        )
        _ = try await server.send("POST", "/v1/jobs/2/resume")
        try await server.engine.end(2, .refused(failure))
        var client = try server.client()
        while true {
            let text = try await client.send("GET", "/v1/metrics").text
            if text.contains("facefetch_failures_total{") { return text }
        }
    }

    @Test("they have what has happened, by kind, reason, outcome and time", .timeLimit(.minutes(1)))
    func figures() async throws {
        try await withServer(configuration()) { server in
            let text = try await metricsAfterWork(server)
            for line in [
                "facefetch_build_info{version=\"1.2.3\"} 1", "facefetch_jobs{state=\"done\"} 1",
                "facefetch_control_requests_total{status=\"201\"} 1",
                "facefetch_retries_total{reason=\"timed_out\"} 1",
                "facefetch_failures_total{code=\"timed_out\"} 1",
                "facefetch_detections_total{outcome=\"counted\"} 1", "facefetch_faces_total 3",
                "facefetch_download_duration_seconds_bucket{le=\"0.5\"} 0",
                "facefetch_download_duration_seconds_count 1",
                "facefetch_detection_duration_seconds_count 1",
                "facefetch_job_duration_seconds_bucket{le=\"0.5\"} 0",
                "facefetch_job_duration_seconds_bucket{le=\"+Inf\"} 1",
                "facefetch_detector_processes{state=\"busy\"} 1", "facefetch_detector_starts_total 3",
                "facefetch_received_bytes_total 1000",
            ] {
                #expect(text.contains(line + "\n"), "\(line)")
            }
            #expect(text.contains("\nprocess_open_fds ") && text.contains("\nprocess_cpu_seconds_total "))
            #expect(text.hasSuffix("# EOF\n"))
        }
    }

    @Test(
        "a strict parser of OpenMetrics takes them",
        .enabled(if: hasParser, "needs python3-prometheus-client"),
        .timeLimit(.minutes(1))
    )
    func strict() async throws {
        try await withServer(configuration()) { server in
            let response = try await server.send("GET", "/v1/metrics")
            #expect(
                response.fields["content-type"]
                    == "application/openmetrics-text; version=1.0.0; charset=utf-8"
            )
            let directory = try TemporaryDirectory()
            let text = try await metricsAfterWork(server)
            let file = try directory.write(Array(text.utf8), to: "metrics.txt")
            let parsed = try Shell.run([Self.python, "-c", Self.parser, file])
            #expect(parsed.status == 0, "\(parsed.output)")
            let families = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.count
            #expect(parsed.output == "\(families)\n")
        }
    }
}
