import HTTPTypes
import Perennial
import PerennialStorage
import PerennialStore

/// control/v1/downloads: downloads and updates of apps on customers' devices.
struct DownloadRoutes {
    private struct DownloadBody: RequestModel {
        var bundleId: String
        var account: String
        var device: String
        var version: String?
        var deviceFamily: String?

        static let constraints: [String: Constraint] = [
            "account": .accountName, "device": .uuidText, "version": .appVersion,
            "deviceFamily": .oneOf(DeviceFamily.self).and(.described("As before, or iPhone, if omitted")),
        ]
    }

    private struct DownloadAnswer: AnswerModel {
        var account: String
        var device: String
        /// Missing if the device had the version before.
        var kind: String?
        var price: Int64?
        var currency: String?

        static let constraints: [String: Constraint] = [
            "kind": .oneOf(AppDownload.Kind.self).and(.described("Missing if the device had the version before")),
            "price": .milliunits,
        ]
    }

    private struct DownloadsAnswer: AnswerModel {
        struct Item: Model, Encodable {
            var account: String
            var device: String
            var deviceFamily: String?
            var version: String
            var installed: Bool
            var changed: String

            static let constraints: [String: Constraint] = [
                "deviceFamily": .oneOf(DeviceFamily.self), "changed": .time,
            ]

            init(_ listed: Listed<AppInstallationsTable.Record>) {
                let installation = listed.value.installation
                account = listed.account
                device = installation.device
                deviceFamily = installation.family?.rawValue
                version = installation.version
                installed = installation.isInstalled
                changed = listed.value.changed.rfc3339()
            }
        }

        var downloads: [Item]
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.post(
            "downloads", "Say that an app is on an account's device: a download or an update", errors: [402, 403],
            use: record)
        routes.get(
            "apps/:bundleId/downloads", "The devices that have or had an app", query: [.listAccount, .listLimit],
            use: downloads)
    }

    private func record(_ call: Call<DownloadBody>, _ context: ControlContext) async throws -> DownloadAnswer {
        let (store, body) = (context.store, try await call.body())
        let family: DeviceFamily? = try body.deviceFamily.map { try ControlFields.value($0, field: "deviceFamily") }
        try ControlFields.check(deviceID: body.device, field: "device")
        if let version = body.version { try ControlFields.check(appVersion: version, field: "version") }
        let customer = try await store.accounts.customer(
            account: body.account, bundleID: App.BundleID(rawValue: body.bundleId))
        let download = try await store.downloads.record(
            deviceID: body.device, family: family, version: body.version, of: customer)
        return DownloadAnswer(
            account: body.account, device: body.device.uppercased(), kind: download?.kind.rawValue,
            price: download?.price.milliunits, currency: download?.price.currency.rawValue)
    }

    private func downloads(_ call: Call<NoBody>, _ context: ControlContext) async throws -> DownloadsAnswer {
        let listed = try await context.store.downloads.list(
            of: context.bundleID, account: call.query(.listAccount), limit: try call.listLimit())
        return DownloadsAnswer(downloads: listed.map(DownloadsAnswer.Item.init))
    }
}

extension Constraint {
    static let appVersion = text(bytes: 1...Accounts.maximumVersionLength)
}
