import ArgumentParser
import Foundation
import Perennial

/// `perennial downloads`: the downloads and updates of apps.
struct DownloadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "downloads", "Record and list the downloads and updates of an app.",
        """
        A device that signs in says its own downloads and updates. These commands are for the others: tests, imports, apps
        without a sign-in.
        """,
        examples: [
            "downloads record --account ann@example.com --device 5A1F0C52-7C1E-4B7B-9C43-0E6F8F6B1C11",
            "downloads list --account ann@example.com",
        ],
        subcommands: [Record.self, List.self], defaultSubcommand: List.self)

    struct Record: StoreCommand {
        static let configuration = CommandConfiguration(
            "record", "Say that an app is on an account's device.",
            """
            The first download of an account, a re-download to another device, or an update to a newer version; the same
            version on the same device again changes nothing. The first download of a paid app is charged. An account that
            doesn't exist yet is created.
            """,
            examples: [
                "downloads record --account ann@example.com --device 5A1F0C52-7C1E-4B7B-9C43-0E6F8F6B1C11",
                """
                downloads record --account ann@example.com --device 5A1F0C52-7C1E-4B7B-9C43-0E6F8F6B1C11 \
                --device-family ipad --app-version 2.0
                """,
            ])

        @OptionGroup var customer: CustomerOptions

        @Option(help: ArgumentHelp("The device's ID.", valueName: "uuid"))
        var device: String

        @Option(help: ArgumentHelp("The kind of device; as before, or iPhone, if omitted.", valueName: "family"))
        var deviceFamily: DeviceFamily?

        @Option(help: ArgumentHelp("The version of the app; that of the catalog if omitted.", valueName: "version"))
        var appVersion: String?

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: customer.bundleID) }

        func validate() throws {
            guard UUID(uuidString: device) != nil else { throw ValidationError("--device is a UUID.") }
        }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.post(
                "control/v1/downloads",
                Body(
                    bundleId: try await client.app(customer.bundleID), account: customer.account, device: device,
                    version: appVersion, deviceFamily: deviceFamily?.rawValue))
            return answer.report { answer in
                guard let kind = answer.kind else {
                    return "\(customer.account) has that version on the device already"
                }
                let price = answer.price ?? 0
                let amount =
                    price == 0
                    ? "" : ", \(Money(milliunits: price, Currency(rawValue: answer.currency ?? "")))"
                return "\(customer.account): \(kind)\(amount)"
            }
        }

        private struct Body: Encodable {
            var bundleId: String
            var account: String
            var device: String
            var version: String?
            var deviceFamily: String?
        }

        private struct Answer: Decodable {
            var kind: String?
            var price: Int64?
            var currency: String?
        }
    }

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the devices that have or had an app.",
            examples: ["downloads list", "downloads list --account ann@example.com --json"])

        @OptionGroup var app: AppOption

        @Option(help: ArgumentHelp("Only those of this customer.", valueName: "name"))
        var account: String?

        @Option(help: ArgumentHelp("At most so many rows, 1 to 1000.", valueName: "count"))
        var limit = 100

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, account: account) }

        func validate() throws { try RowLimit.check(limit) }

        func report(from client: StoreClient) async throws -> Report {
            let query = "limit=\(limit)" + (account.map { "&account=\($0.percentEncoded)" } ?? "")
            let answer: StoreAnswer<Answer> = try await client.get(try await app.path(client, "/downloads?\(query)"))
            return answer.report { answer in
                guard !answer.downloads.isEmpty else { return "No device has the app" }
                let headings = ["ACCOUNT", "DEVICE", "FAMILY", "VERSION", "INSTALLED", "SINCE"]
                return TerminalTable(headings, answer.downloads.map(\.cells)).text
            }
        }
    }

    private struct Answer: Decodable {
        struct Item: Decodable {
            var account: String
            var device: String
            var deviceFamily: String?
            var version: String
            var installed: Bool
            var changed: String

            var cells: [String] {
                [account, device, deviceFamily ?? "-", version, installed ? "yes" : "removed", changed]
            }
        }

        var downloads: [Item]
    }
}
