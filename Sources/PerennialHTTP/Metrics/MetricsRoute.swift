import HTTPTypes
import Hummingbird
import NIOCore
import Perennial
import PerennialStorage
import PerennialStore

/// `GET /metrics`: the process's counts and positions for Prometheus. It holds no secrets and asks for none.
struct MetricsRoute {
    let metrics: RequestMetrics
    let registry: StoreRegistry
    let readinessLimit: @Sendable () async throws -> Void
    private let journal = JournalCounts()

    init(
        metrics: RequestMetrics, registry: StoreRegistry, readinessLimit: @escaping @Sendable () async throws -> Void
    ) {
        self.metrics = metrics
        self.registry = registry
        self.readinessLimit = readinessLimit
    }

    func add(to open: RouteGroup<BasicConnectionContext>) {
        open.get(
            "metrics", "Counts and positions, for Prometheus", answers: [.bytes(PrometheusText.contentType)]
        ) { (_: Call<NoBody>, _) in
            var text = PrometheusText()
            writeRequests(to: &text)
            writeDatabase(to: &text)
            // The database's numbers are left out while it doesn't answer: a monitor must not be kept waiting.
            let isReady = await registry.readiness(within: readinessLimit) == .ready
            text.begin("perennial_ready", .gauge, "1 where the store can sell.")
            text.sample("perennial_ready", [], isReady ? 1 : 0)
            if isReady {
                try await writeStores(to: &text)
                try await writeCommerce(to: &text)
            }
            return Response(
                status: .ok, headers: [.contentType: PrometheusText.contentType],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text.text)))
        }
    }

    private func writeRequests(to text: inout PrometheusText) {
        let name = "perennial_http_request_duration_seconds"
        text.begin(name, .histogram, "Requests answered, by route, method and status.")
        for (key, series) in metrics.snapshot {
            let labels = [("route", key.route), ("method", key.method), ("status", "\(key.status)")]
            var cumulative = 0
            for (bound, count) in zip(RequestMetrics.bounds, series.buckets) {
                cumulative += count
                text.sample("\(name)_bucket", labels + [("le", "\(bound)")], cumulative)
            }
            text.sample("\(name)_bucket", labels + [("le", "+Inf")], series.count)
            text.sample("\(name)_sum", labels, series.seconds)
            text.sample("\(name)_count", labels, series.count)
        }
    }

    /// The counts are the process's own, so they are there while the database doesn't answer.
    private func writeDatabase(to text: inout PrometheusText) {
        guard let statistics = registry.database.statistics else { return }
        func counter(_ name: String, _ help: String, _ value: Int) {
            text.begin("perennial_postgres_\(name)", .counter, help)
            text.sample("perennial_postgres_\(name)", [], value)
        }
        counter("commits_total", "Transactions that wrote and were committed.", statistics.commits)
        counter("committed_writes_total", "Writes in those transactions.", statistics.committedBodies)
        counter(
            "dissolved_groups_total", "Groups of writes that were rolled back, and ran one by one.",
            statistics.dissolvedGroups)
        counter("lock_timeouts_total", "Locks that weren't got in time.", statistics.lockTimeouts)
        counter(
            "ended_sessions_total", "Sessions that held locks in the middle of a request, and were ended.",
            statistics.endedSessions)
    }

    private func writeStores(to text: inout PrometheusText) async throws {
        let snapshots = try await registry.snapshots()
        text.begin("perennial_journal_position", .gauge, "The last entry of an app's journal.")
        for snapshot in snapshots {
            for head in snapshot.journal {
                text.sample(
                    "perennial_journal_position",
                    [("environment", snapshot.environment.name), ("app", head.bundleID.rawValue)], head.position)
            }
        }
        text.begin("perennial_clock_seconds", .gauge, "What an environment's clock says, in seconds since 1970.")
        for snapshot in snapshots {
            text.sample(
                "perennial_clock_seconds", [("environment", snapshot.environment.name)],
                Double(snapshot.now.milliseconds) / 1000)
        }
        text.begin("perennial_renewals_overdue_seconds", .gauge, "How long the oldest due renewal has been waiting.")
        for snapshot in snapshots {
            text.sample(
                "perennial_renewals_overdue_seconds", [("environment", snapshot.environment.name)],
                Double(snapshot.overdueMilliseconds) / 1000)
        }
        writeQuarantine(snapshots, to: &text)
        writeRollUps(snapshots, to: &text)
    }

    private func writeRollUps(_ snapshots: [EnvironmentSnapshot], to text: inout PrometheusText) {
        func sample(_ name: String, _ value: (RollUps.Status) -> Double) {
            for snapshot in snapshots {
                for status in snapshot.rollUps {
                    text.sample(
                        name, [("environment", snapshot.environment.name), ("app", status.bundleID.rawValue)],
                        value(status))
                }
            }
        }
        text.begin("perennial_roll_up_position", .gauge, "The last journal entry in an app's roll-ups for reports.")
        sample("perennial_roll_up_position") { Double($0.position) }
        text.begin(
            "perennial_roll_up_lag_seconds", .gauge, "The age of the oldest journal entry that no roll-up has.")
        sample("perennial_roll_up_lag_seconds") { Double($0.lagMilliseconds) / 1000 }
    }

    private func writeQuarantine(_ snapshots: [EnvironmentSnapshot], to text: inout PrometheusText) {
        let name = "perennial_subscriptions_quarantined"
        text.begin(name, .gauge, "Subscriptions that are left out of the work, because it fails for them.")
        for snapshot in snapshots {
            for found in snapshot.quarantine {
                text.sample(
                    name, [("environment", snapshot.environment.name), ("app", found.bundleID.rawValue)], found.count)
            }
        }
    }

    /// Purchases, renewals, refunds: each is a kind of entry.
    private func writeCommerce(to text: inout PrometheusText) async throws {
        let name = "perennial_journal_entries_total"
        text.begin(name, .counter, "Entries of an app's journal, by kind.")
        for book in try await journal.read(registry) {
            for (kind, count) in book.entries.sorted(by: { $0.key < $1.key }) {
                text.sample(
                    name,
                    [("environment", book.environment), ("app", book.bundleID.rawValue), ("kind", kind)], count)
            }
        }
    }
}
