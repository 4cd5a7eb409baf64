import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial
import PerennialStore
import Synchronization

/// A session's environment in the store, and the client's connection to it.
final class SessionCore: Sendable {
    static let account = "customer@session.example"

    let configuration: SessionConfiguration
    let host: StoreHost
    let store: Store
    let time: SessionTime
    let connection: StoreConnection
    let schedule: RenewalSchedule
    let sheets: SessionSheets
    let gate: RequestGate
    let content: SessionContent
    let notifications: SessionNotifications
    let contentServer: DeliveryClient
    private let state: Mutex<State>

    struct State {
        var settings: SessionConfiguration.Settings
        var failureError = SKError.Code.unknown
        /// Token of the device on which purchases outside of the app are made; `nil` before the first.
        var deviceToken: String?
        /// The simulated errors as they were set.
        var failures: [SimulatedErrors.API: any Sendable] = [:]
        var server: SessionServer?
        /// URL that notifications are sent to; `nil` for none.
        var notificationURL: URL?
        var isEnded = false
    }

    /// Makes the environment and the connection.
    ///
    /// - Throws: ``SKTestError``.
    init(_ configuration: SessionConfiguration) async throws {
        let time = SessionTime(realNow: StoreHost.now)
        let host = try await StoreHost.host(of: configuration)
        let store = try await host.makeEnvironment(on: time)
        let schedule = RenewalSchedule(store: store, time: time)
        let files = SessionFiles()
        let sheets = SessionSheets()
        let gate = RequestGate()
        let transport = RouterTransport(
            SessionResponder(host.responder, gate: gate, schedule: schedule), host.channels, logger: StoreHost.logger,
            inProcess: SessionSales(store, gate: gate, schedule: schedule))
        let name = store.environment.name
        let folder = SessionFolders.folder(named: name)
        let dependencies = DeviceDependencies(
            now: { time.now }, sleep: { try await Task.sleep(for: $0) }, randomBytes: StoreHost.randomBytes)
        content = SessionContent(
            configuration, host: host, store: store, time: time, folder: folder.appendingPathComponent("content-server")
        )
        contentServer = content.makeClient(dependencies)
        connection = StoreConnection(
            baseURL: URL(string: "http://session/environments/\(name)")!,
            bundleID: configuration.bundleID.rawValue, account: Self.account, deviceID: StoreHost.uuid(),
            language: configuration.settings.locale.languageTag,
            applicationVersion: configuration.app.version,
            storageFolder: folder,
            rootCertificates: [Data(try ProcessSigning.identities.get().rootCertificate)], paymentSheet: sheets,
            codeRedemptionSheet: sheets, priceConsentSheet: sheets,
            contentServer: contentServer, transport: transport, dependencies: dependencies, files: files,
            protection: .memory)
        files.show(receiptAt: connection.receiptURL)
        // The session says itself when something has changed.
        connection.transactionSync.pollsForChanges = false
        self.configuration = configuration
        self.host = host
        self.store = store
        self.time = time
        self.schedule = schedule
        self.sheets = sheets
        self.gate = gate
        let notifications = SessionNotifications(store: store, bundleID: configuration.bundleID)
        self.notifications = notifications
        state = Mutex(
            State(
                settings: configuration.settings,
                failures: configuration.settings.simulatedErrors.failures.mapValues { $0 as any Sendable }))
        schedule.start(changed: { [weak connection] in connection?.invalidate() }, anyChange: notifications.changed)
        connection.codeTranslation = { [weak self] text in try await self?.code(enteredAs: text) ?? text }
        applyToClient()
        // A new environment has the file's storefront and real time.
        let settings = configuration.settings
        if settings.timeRate != .realTime || settings.failsRenewals || settings.hasGracePeriod {
            try await applyBilling()
        }
    }

    var bundleID: App.BundleID { configuration.bundleID }
    var settings: SessionConfiguration.Settings { withState { $0.settings } }

    func withState<Value>(_ body: (inout sending State) -> sending Value) -> sending Value { state.withLock(body) }

    /// Gives the settings to the store and the connection.
    func applySettings() async throws {
        applyToClient()
        try await applyAccount()
        try await applyBilling()
    }

    private func applyToClient() {
        let settings = settings
        connection.asksToBuy = settings.asksToBuy
        connection.language = settings.locale.languageTag
        sheets.isDisabled = settings.disablesDialogs
        for (api, failure) in withState({ $0.failures }) {
            connection.simulatedErrors.set((failure as? any SimulatedFailure)?.thrownError, for: api)
        }
        applyFailures()
    }

    /// Gives storefront and interruptions to the customer's account.
    func applyAccount() async throws {
        let (settings, interrupts) = withState { ($0.settings, $0.settings.interruptsPurchases) }
        _ = try await store.accounts.put(
            Self.account, storefront: Storefront(rawValue: settings.storefront), paymentMethod: nil,
            canMakePayments: nil, password: nil, interruptsPurchases: interrupts)
    }

    /// Gives renewal rate and billing problems to the environment.
    func applyBilling() async throws {
        let settings = settings
        var billing = BillingSettings(
            gracePeriodDays: settings.hasGracePeriod ? BillingPolicy.GraceLength.sixteenDays.rawValue : 0,
            renewalsFail: settings.failsRenewals)
        if let rate = Perennial.TimeRate(sessionNumber: settings.timeRate.rawValue) {
            billing.timeRate = .rate(rate)
            billing.maximumRenewals = BillingSettings.withoutEnd
        } else {
            billing.timeRate = .real
        }
        _ = try await store.renewals.setBillingSettings(billing, for: nil)
        schedule.isRealTime = settings.timeRate == .realTime
    }

    /// Gives the failing transactions of StoreKit 1 to the connection, unless an error of purchases was set.
    func applyFailures() {
        let (fails, code, failure) = withState {
            ($0.settings.failsTransactions, $0.failureError, $0.failures[.purchase])
        }
        guard failure == nil else { return }
        connection.simulatedErrors.set(fails ? SKError(code) : nil, for: .purchase)
    }

    /// Ends the session: nothing of it stays in the process.
    func end() {
        let server = withState { state -> SessionServer? in
            if state.isEnded { return nil }
            state.isEnded = true
            defer { state.server = nil }
            return state.server
        }
        server?.stop()
        schedule.stop()
        CurrentStore.pop(connection)
        connection.close()
        SessionFolders.remove(connection.storageFolder)
        let (host, name) = (host, store.environment.name)
        Task { await host.removeEnvironment(name) }
    }

    deinit { end() }
}

extension Locale {
    /// BCP 47 tag of language and region, such as `de-DE`.
    var languageTag: String { String(identifier.prefix { $0 != "@" }.map { $0 == "_" ? "-" : $0 }) }
}
