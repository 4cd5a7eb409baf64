import Foundation
import Logging
import Perennial
import PerennialStorage
import Synchronization

/// A cache of the decoded apps in the database.
///
/// Each transaction that uses it compares the catalog's revision first, so a change by another node is seen at once.
package final class CatalogCache: Sendable {
    package struct Entry: Sendable {
        package let app: App
        /// The revision of the catalog that the entry was decoded from.
        let revision: Int64
        package let sharedSecret: String
        package let products: [Product.ID: Product]
        /// The app's settings for server notifications, by environment. Absent if it wants none.
        package let notifications: [StoreEnvironment.ID: NotificationSettings]
        /// The environment's settings for billing and renewal rate.
        package var billing = BillingSettings()
        /// The scheduled prices that haven't taken effect in the environment, by product, each in order.
        package var pendingPrices: [Product.ID: [ScheduledPrice]] = [:]
        /// The instant of the first of them.
        package var nextPrice: Instant?
    }

    /// The apps, by bundle ID and by number.
    package struct Entries: Sendable {
        fileprivate(set) var byBundleID: [App.BundleID: Entry] = [:]
        fileprivate(set) var byNumber: [Int64: Entry] = [:]

        /// The instant of the first scheduled price that hasn't taken effect.
        fileprivate(set) var nextPrice: Instant?

        var sorted: [Entry] { byNumber.values.sorted { $0.app.appleID < $1.app.appleID } }

        fileprivate mutating func add(_ entry: Entry) {
            byBundleID[entry.app.bundleID] = entry
            byNumber[entry.app.appleID] = entry
            if let next = entry.nextPrice { nextPrice = min(nextPrice ?? next, next) }
        }
    }

    private struct State {
        var revision: Int64 = -1
        var entries = Entries()
        var settings: [StoreEnvironment.ID: [Int64: EnvironmentSettings]] = [:]
        /// Each environment's entries, created on first use.
        var ofEnvironments: [StoreEnvironment.ID: Entries] = [:]
        /// The snapshot whose revision was compared last.
        var checkedSnapshot: SnapshotID?
    }

    private let state = Mutex(State())
    private let logger: Logger

    package init(logger: Logger = Logger(label: "perennial.catalog")) {
        self.logger = logger
    }

    package func entry(_ bundleID: App.BundleID, on connection: any Connection) throws -> Entry? {
        try refresh(on: connection)
        return state.withLock { $0.entries.byBundleID[bundleID] }
    }

    package func entry(number: Int64, on connection: any Connection) throws -> Entry? {
        try refresh(on: connection)
        return state.withLock { $0.entries.byNumber[number] }
    }

    package func all(on connection: any Connection) throws -> [Entry] {
        try refresh(on: connection)
        return state.withLock { $0.entries.sorted }
    }

    /// Returns the apps as an environment sells them: with its own prices, renewal rate and billing settings.
    package func entries(in environment: StoreEnvironment, on connection: any Connection) throws -> Entries {
        try refresh(on: connection)
        return state.withLock { state in
            if let known = state.ofEnvironments[environment.id] { return known }
            let settings = state.settings[environment.id] ?? [:]
            let common = settings[EnvironmentSettingsTable.allApps]
            var entries = Entries()
            for entry in state.entries.byNumber.values {
                entries.add(entry.changed(by: settings[entry.app.appleID], and: common, environment.kind))
            }
            state.ofEnvironments[environment.id] = entries
            return entries
        }
    }

    private func refresh(on connection: any Connection) throws {
        let reading = connection.snapshotID
        guard state.withLock({ $0.checkedSnapshot != reading }) else { return }
        let revision = try AppsTable.revision(on: connection)
        let isFresh = state.withLock { state in
            guard state.revision == revision else { return false }
            state.checkedSnapshot = reading
            return true
        }
        guard !isFresh else { return }
        var fresh = State(revision: revision, checkedSnapshot: reading)
        let notified = Dictionary(grouping: try NotificationSettingsTable.all(on: connection), by: \.place.app)
        // Leaves out an app that can't be decoded: the others are sold and renewed all the same.
        for record in try AppsTable.all(on: connection) {
            do {
                fresh.entries.add(try entry(record, notified[record.id] ?? [], revision))
            } catch {
                logger.error(
                    "an app is left out: its definition can't be read",
                    metadata: ["app": "\(record.bundleID.rawValue)", "error": "\(error)"])
            }
        }
        for found in try EnvironmentSettingsTable.all(on: connection) {
            switch found.settings {
            case .success(let settings): fresh.settings[found.environment, default: [:]][found.app] = settings
            case .failure(let error):
                logger.error(
                    "an environment's settings are left out: they can't be read",
                    metadata: [
                        "environment": "\(found.environment.rawValue)", "app": "\(found.app)", "error": "\(error)",
                    ])
            }
        }
        state.withLock { [fresh] in $0 = fresh }
    }

    private func entry(
        _ record: AppsTable.Record,
        _ notified: [(place: NotificationSettingsTable.Place, record: NotificationSettingsTable.Record)],
        _ revision: Int64
    ) throws -> Entry {
        let app = try JSONDecoder().decode(App.self, from: Data(record.definition.utf8))
        return Entry(
            app: app, revision: revision, sharedSecret: record.sharedSecret,
            products: Dictionary(app.products.map { ($0.id, $0) }) { first, _ in first },
            notifications: Dictionary(
                uniqueKeysWithValues: try notified.map { ($0.place.environment, try NotificationSettings($0.record)) }))
    }
}
