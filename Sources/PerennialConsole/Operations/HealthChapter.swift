import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore

/// The process's health: each check with what to do where it fails.
struct HealthChapter: ConsoleChapter {
    /// Certificates that end sooner are reported, in milliseconds.
    private static let certificateWarning = Int64.days(60)
    /// Lags and backlogs that are shorter are usual, in milliseconds.
    private static let usualLag = Int64.seconds(60)
    private static let gigabyte = 1_000_000_000.0

    func add(to routes: ConsoleRoutes) {
        routes.page("health", .view) { try await page($0) }
    }

    private func page(_ request: PageRequest) async throws -> Page {
        let health = try await request.services.registry.health { try await Task.sleep(for: .seconds(2)) }
        let checks =
            [readiness(health), disk(health)] + work(health, request) + [certificates(request)].compactMap(\.self)
        var links: [Link] = [Link(.phrase(EnvironmentPhrases.title), request.path("environments"))]
        if request.allows(.administer) { links.append(Link(.phrase(HealthPhrases.audit), request.path("audit"))) }
        return Page(
            .phrase(HealthPhrases.title), .health,
            [
                .section(.phrase(HealthPhrases.checks), [.checks(checks)]),
                .section(
                    .phrase(HealthPhrases.process),
                    [
                        .facts([
                            Fact(.phrase(HealthPhrases.version), Cell(.data(request.services.version))),
                            Fact(.phrase(HealthPhrases.database), Cell(.data(health.database), isFixedWidth: true)),
                            Fact(.phrase(HealthPhrases.serverTime), Cell(.exact(request.services.wallClock()))),
                        ])
                    ] + (try await nodes(request)) + [
                        .links(links), .same(SameCommand("status")),
                    ]),
            ])
    }

    /// The processes that serve the database.
    private func nodes(_ request: PageRequest) async throws -> [Block] {
        let nodes = try await request.services.registry.nodeStatuses()
        guard !nodes.isEmpty else { return [] }
        let now = request.services.wallClock()
        return [
            .table(
                Table(
                    caption: .phrase(HealthPhrases.nodes),
                    columns: [
                        Table.Column(.phrase(HealthPhrases.machine), .leading, .primary),
                        Table.Column(.phrase(HealthPhrases.version), .leading, .primary),
                        Table.Column(.phrase(HealthPhrases.started)),
                        Table.Column(.phrase(HealthPhrases.up), .trailing),
                        Table.Column(.phrase(Words.status)),
                    ],
                    rows: nodes.map { status in
                        let isSilent = status.silence > Self.usualSilence
                        return Table.Row([
                            Cell(.data("\(status.node.host) (\(status.node.process))"), isFixedWidth: true),
                            Cell(.data(status.node.version)), Cell(.exact(status.node.started)),
                            Cell(Self.uptime(now - status.node.started)),
                            Cell(
                                isSilent
                                    ? .phrase(HealthPhrases.silent, .number(status.silence / 1000))
                                    : .phrase(HealthPhrases.alive), status: isSilent ? .warning : .good),
                        ])
                    }))
        ]
    }

    /// A heartbeat that is late by less is usual, in milliseconds.
    private static let usualSilence: Int64 = 1500

    private static func uptime(_ milliseconds: Int64) -> Text {
        let minutes = max(0, milliseconds) / 60_000
        return .phrase(
            HealthPhrases.uptime, .number(minutes / 1440), .number(minutes / 60 % 24), .number(minutes % 60))
    }

    private func readiness(_ health: HealthReport) -> Check {
        switch health.readiness {
        case .ready: Check(outcome: .passed, name: .phrase(HealthPhrases.sells))
        case .notReady(let status, let reason):
            Check(
                outcome: .failed, name: .phrase(HealthPhrases.sells),
                reason: .phrase(HealthPhrases.sellsNot, .data("\(reason) (\(status))")))
        }
    }

    private func disk(_ health: HealthReport) -> Check {
        guard let disk = health.disk else {
            return Check(outcome: .skipped, name: .phrase(HealthPhrases.disk), reason: .phrase(HealthPhrases.noDisk))
        }
        let sizes: [Text] = [disk.free, disk.total].map { .decimal(Double($0) / Self.gigabyte, 1) }
        let phrase = disk.isNearlyFull ? HealthPhrases.diskFull : HealthPhrases.diskSpace
        return Check(
            outcome: disk.isNearlyFull ? .failed : .passed, name: .phrase(HealthPhrases.disk),
            reason: .phrase(phrase, sizes))
    }

    /// The work of all environments that the visitor's apps belong to.
    private func work(_ health: HealthReport, _ request: PageRequest) -> [Check] {
        let visible = Set(request.apps.map(\.bundleID))
        var (lags, failures): ([Text], [Text]) = ([], [])
        for status in health.environments {
            for app in status.apps where visible.contains(app.bundleID) {
                let (place, name) = (Text.data(status.environment.name), Text.data(app.bundleID.rawValue))
                if app.lagEntries > 0, app.lagMilliseconds > Self.usualLag {
                    lags.append(.phrase(HealthPhrases.reportsLag, place, .number(app.lagEntries), name))
                }
                if app.failingNotifications > 0 {
                    failures.append(
                        .phrase(HealthPhrases.notificationsFail, place, .number(app.failingNotifications), name))
                }
            }
        }
        // On a manual clock nothing is due before it is advanced.
        let due = health.environments.filter { $0.dueRenewals > 0 }.map {
            Text.phrase(HealthPhrases.renewalsDue, .data($0.environment.name), .number($0.dueRenewals))
        }
        let quarantined = health.environments.filter { $0.quarantined > 0 }.map {
            Text.phrase(HealthPhrases.quarantined, .data($0.environment.name), .number($0.quarantined))
        }
        return [
            check(HealthPhrases.renewals, due), check(HealthPhrases.quarantine, quarantined),
            check(HealthPhrases.reports, lags), check(HealthPhrases.notifications, failures),
        ]
    }

    private func check(_ name: Phrase, _ problems: [Text]) -> Check {
        Check(
            outcome: problems.isEmpty ? .passed : .failed, name: .phrase(name), reason: problems.first,
            details: problems.dropFirst().map { .paragraph($0) })
    }

    private func certificates(_ request: PageRequest) -> Check? {
        var certificates = [request.services.rootCertificate]
        if let authority = request.services.authority {
            certificates += IssuingCertificate.allCases.map(authority.certificate)
        }
        let ends = certificates.compactMap { CertificateEnd(der: $0) }
        guard let first = ends.min(by: { $0.end < $1.end }) else { return nil }
        let isSoon = first.end - request.services.wallClock() < Self.certificateWarning
        return Check(
            outcome: isSoon ? .failed : .passed, name: .phrase(HealthPhrases.certificates),
            reason: .phrase(
                isSoon ? HealthPhrases.certificateEndsSoon : HealthPhrases.certificateEnds, .data(first.name),
                .day(first.end)))
    }
}
