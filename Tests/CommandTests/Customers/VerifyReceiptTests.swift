import AppStoreFormats
import ArgumentParser
import Foundation
import PerennialStore
import TestSupport
import Testing

@testable import PerennialCommand

struct VerifyReceiptTests {
    /// How a receipt may be kept.
    enum Form: CaseIterable {
        case der, base64, wrapped

        func bytes(of receipt: [UInt8]) -> Data {
            switch self {
            case .der: Data(receipt)
            case .base64: Data(Data(receipt).base64EncodedString().utf8)
            case .wrapped:
                Data(
                    Data(receipt).base64EncodedString(options: [.lineLength64Characters, .endLineWithCarriageReturn])
                        .utf8)
            }
        }
    }

    @Test(arguments: Form.allCases)
    func `a receipt of Sandbox is found by asking Production first`(form: Form) async throws {
        try await RunningStore.run { store in
            let id = try await store.buy("filter.amber")
            let file = try Self.write(form.bytes(of: try await store.shop.receipt(of: "ann")))
            let report = try await RunningStore.run(["receipts", "verify", file, "--url", store.url])
            #expect(
                report.words == """
                    Status       0, the receipt is authentic
                    Environment  Sandbox
                    App          com.example.magazine
                    Purchases    1

                    PRODUCT       TRANSACTION       ORIGINAL          QUANTITY  PURCHASED             EXPIRES  CANCELLED
                    filter.amber  \(id)  \(id)  1         2026-01-01T00:00:00Z  -        -
                    """)
            #expect(report.succeeded)
            #expect(try JSONValue(report.json)["status"] == 0)
        }
    }

    @Test func `inspect trusts a root in DER or PEM`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("filter.amber", as: "ann")
        let receipt = try Self.write(Data(try await shop.receipt(of: "ann")))
        let identities = try TestSigning.identities
        let base64 = Data(identities.receiptRootCertificate).base64EncodedString(options: .lineLength64Characters)
        let pem = "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
        func inspected(_ root: Data) throws -> String {
            let words = ["inspect", receipt, "--root-certificate", try Self.write(root)]
            let command = try #require(try Words.parse(words) as? Inspect)
            return try command.inspected(Array(InspectedFile.read(command.file))).text
        }
        let trusted = try inspected(Data(identities.receiptRootCertificate))
        #expect(try inspected(Data(pem.utf8)) == trusted)
        #expect(try inspected(Data(identities.rootCertificate)) != trusted)
        #expect(throws: CommandError.self) { try inspected(Data("no certificate".utf8)) }
    }

    @Test func `the old form of receipt is read as well`() async throws {
        try await RunningStore.run { store in
            let sold = try await store.shop.buy("filter.amber", as: "ann")
            let file = try Self.write(Data(try await store.shop.transactionReceipt(of: sold, as: "ann")))
            let report = try await RunningStore.run(["receipts", "verify", file, "--url", store.url])
            #expect(report.succeeded && report.words.contains("filter.amber"))
        }
    }

    @Test func `another environment is asked if it is named`() async throws {
        try await RunningStore.run { store in
            _ = try await store.buy("filter.amber", environment: "staging")
            let staging = try await store.shop.environment("staging")
            let file = try Self.write(Data(try await staging.receipt(of: "ann")))
            let elsewhere = try await RunningStore.run(["receipts", "verify", file, "--url", store.url])
            #expect(elsewhere.words.contains("21010") && !elsewhere.succeeded)
            let there = try await RunningStore.run([
                "receipts", "verify", file, "--url", store.url, "--environment", "staging",
            ])
            #expect(there.succeeded)
        }
    }

    @Test func `receipts with subscriptions need the shared secret`() async throws {
        try await RunningStore.run { store in
            _ = try await store.buy("monthly")
            let file = try Self.write(Data(try await store.shop.receipt(of: "ann")))
            let without = try await RunningStore.run(["receipts", "verify", file, "--url", store.url])
            #expect(
                without.words == """
                    Status  21004, the shared secret is missing or is not the app's: say --shared-secret
                    """)
            #expect(!without.succeeded)
            let said = try await RunningStore.run(
                ["receipts", "verify", file, "--url", store.url, "--shared-secret", TestCatalog.sharedSecret])
            #expect(said.succeeded && said.words.contains("monthly"))
            let ready = try Self.write(
                Data(
                    """
                    {"url": "\(store.url)", "controlToken": "t", "apps": [
                        {"bundleId": "a", "sharedSecret": "wrong"},
                        {"bundleId": "b", "sharedSecret": "\(TestCatalog.sharedSecret)"}]}
                    """.utf8))
            #expect(try await RunningStore.run(["receipts", "verify", file, "--ready-file", ready]).succeeded)
        }
    }

    @Test(arguments: [("no receipt", "21002"), ("{\"a\" = \"b\";}", "21002")])
    func `data that is no receipt gets status 21002`(text: String, status: String) async throws {
        try await RunningStore.run { store in
            let report = try await RunningStore.run([
                "receipts", "verify", try Self.write(Data(text.utf8)), "--url", store.url,
            ])
            #expect(report.words == "Status  \(status), this is no receipt, or a damaged one")
            #expect(!report.succeeded)
            let command = try VerifyReceiptCommand.parse([Self.write(Data(text.utf8)), "--url", store.url])
            await #expect(throws: ExitCode.failure) { try await command.run() }
        }
    }

    @Test func `a receipt of another store is not authentic`() async throws {
        try await RunningStore.run { store in
            let foreign = try await TestStore.make(signing: .init(TestSigning.foreign))
            try await foreign.buy("filter.amber", as: "ann")
            let file = try Self.write(Data(try await foreign.receipt(of: "ann")))
            let report = try await RunningStore.run(["receipts", "verify", file, "--url", store.url])
            #expect(report.words.hasPrefix("Status  21003, "))
        }
    }

    @Test func `a missing, empty or too long file is reported`() async throws {
        let missing = "\(try TemporaryFolder.make())/receipt"
        let empty = try Self.write(Data())
        let long = try Self.write(Data(repeating: 0x30, count: VerifyReceiptRequest.maximumSize * 3 / 2))
        let reasons = [
            missing: "can't be read, or is empty: a receipt is expected",
            empty: "can't be read, or is empty: a receipt is expected", long: "is longer than any receipt",
        ]
        for (file, reason) in reasons {
            #expect {
                _ = try ReceiptInput(path: file)
            } throws: { "\($0)" == "\(file) \(reason)" }
        }
    }

    @Test(arguments: [0, 21000, 21001, 21002, 21003, 21004, 21005, 21006, 21007, 21008, 21009, 21010, 21100, 21199])
    func `every status has its meaning`(status: Int) {
        #expect(VerifyReceiptStatus(rawValue: status).meaning != VerifyReceiptStatus(rawValue: 1).meaning)
    }

    private static func write(_ bytes: Data) throws -> String {
        let file = "\(try TemporaryFolder.make())/receipt"
        try bytes.write(to: URL(filePath: file))
        return file
    }
}
