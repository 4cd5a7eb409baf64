import BaseEncoding
import Crypto
import Foundation
import Testing

@testable import AppStoreFormats

/// Data inside of what people copy: commands, property lists, JSON with escapes, lists of certificates.
struct InspectionWrappingTests {
    private let samples: InspectionSamples
    private let receipt: String

    init() throws {
        samples = try InspectionSamples()
        receipt = try samples.receipt().base64
    }

    private func inspect(_ text: String) -> Inspection { InspectionSamples.inspect(text, samples.context) }

    /// The names and kinds of what is inside.
    private func found(_ inspection: Inspection) -> [String] {
        inspection.parts.flatMap { part in
            ["\(part.name): \(part.inspection.kind.rawValue)"]
                + found(part.inspection).map { "\(part.name).\($0)" }
        }
    }

    @Test func `a command of curl has its body and its token inspected`() throws {
        let url = "https://sandbox.itunes.apple.com/verifyReceipt"
        let body = #"{"receipt-data":"\#(receipt)","password":"a secret"}"#
        let escaped = body.replacing("\"", with: "\\\"")
        let commands = [
            "curl -X POST \(url) -H 'Content-Type: application/json' -d '\(body)'",
            "$ curl \(url) \\\n  -H \"Content-Type: application/json\" \\\n  --data-raw \"\(escaped)\"",
            "curl -sSd '\(body)' \(url) | jq .", "curl --json '\(body)' --url \(url)",
            "/usr/bin/curl --data=\(shellWord(body)) \(url)", "curl '\(url)' --data-raw $'\(body)' --compressed",
            "curl ^\"\(url)^\" ^\r\n  --data-raw ^\"\(escaped.replacing("\\\"", with: "^\\^\""))^\"",
        ]
        for command in commands {
            let inspection = inspect(command)
            #expect(inspection.kind == .curlCommand && inspection.failures == [], "\(command.prefix(60))")
            #expect(found(inspection) == ["body: verifyReceiptRequest", "body.receipt-data: appReceipt"])
            #expect(inspection[.structure]?.finding == .init(.structureCurl, "POST", url))
            #expect(!"\(inspection)".contains("a secret"))
            #expect(inspection.references.contains(InspectionReference(.transaction, "2000000000000003")))
        }
        let token = try samples.token()
        let call =
            "curl -H 'Authorization: Bearer \(token)' https://api.example.com/inApps/v1/history/2000000000000009?x=y"
        let inspection = inspect(call)
        #expect(inspection.failures == [] && found(inspection) == ["Authorization: serverAPIToken"])
        #expect(inspection.references.contains(InspectionReference(.transaction, "2000000000000009")))
        #expect(inspection[.structure]?.finding.arguments[0] == "GET" && !"\(inspection)".contains("x=y"))
    }

    private func shellWord(_ text: String) -> String { "'\(text)'" }

    @Test func `a command of curl without its data says what is missing`() {
        let file = inspect("curl https://example.com/verifyReceipt -d @receipt.json")
        #expect(file.codes == [.curlFile] && file[.contents]?.finding.arguments == ["receipt.json"])
        let bare = inspect("curl https://example.com/")
        #expect(bare.kind == .curlCommand && bare[.contents]?.finding.code == .curlEmpty)
        let broken = inspect(
            "curl https://example.com/verifyReceipt -d '{\"receipt-data\":\"\(receipt.prefix(2000))\"}'")
        #expect(broken.codes == [.truncated])
        // A word of the largest size is read in one pass.
        let large = inspect("curl https://example.com/ -d '\(String(repeating: "a", count: 9 << 20))'")
        #expect(large.kind == .curlCommand)
        #expect(inspect("curly brackets").kind == .unknown && inspect("curl").kind == .unknown)
    }

    @Test func `JSON with escapes is read, however often it was escaped`() throws {
        var text = #"{"receipt-data":"\#(receipt)"}"#
        for _ in 0..<3 {
            text = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            for form in [text, "\"\(text)\"", "body = \"\(text)\";"] {
                let inspection = inspect(form)
                #expect(inspection.kind == .verifyReceiptRequest && inspection.failures == [], "\(form.prefix(40))")
                #expect(found(inspection) == ["receipt-data: appReceipt"])
                #expect(inspection.layers.contains(.init(.escapesReplaced)))
            }
        }
        let transaction = try samples.transaction()
        let log =
            #"{"level":"info","body":"{\"signedPayload\":\"\#(try samples.notification(transaction: transaction))\"}"}"#
        let inspection = inspect(log)
        #expect(inspection.failures == [])
        #expect(
            found(inspection) == [
                "body: notification", "body.signedPayload: signedNotification",
                "body.signedPayload.data.signedTransactionInfo: signedTransaction",
            ])
        #expect(inspect(#"{\"a\":"#).failures == [.structure])
        #expect(PastedText.withoutEscapes(#"\u002B\u0041\/\"\\n\q"#) == #"+A/"\n\q"#)
    }

    @Test func `a receipt in a property list is found`() {
        let lines = stride(from: 0, to: receipt.count, by: 60).map { "\t" + receipt.dropFirst($0).prefix(60) }
        let data = "<data>\n\(lines.joined(separator: "\n"))\n</data>"
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <!-- a comment --><plist version="1.0">
            """
        let alone = inspect("\(head)\(data)</plist>")
        #expect(alone.kind == .appReceipt && alone.failures == [] && alone.layers.contains(.init(.plistRead)))
        #expect(inspect(data).kind == .appReceipt)
        let request = inspect(
            "\(head)<dict><key>receipt-data</key>\(data)<key>password</key><string>a &amp; b</string></dict></plist>")
        #expect(request.kind == .verifyReceiptRequest && request.failures == [])
        let dictionary = inspect(
            "\(head)<dict><key>saved</key><dict><key>receipt</key>\(data)<key>at</key><integer>5</integer></dict><key>on</key><true/>"
                + "<key>list</key><array><string>a</string></array></dict></plist>")
        #expect(dictionary.kind == .propertyList && dictionary.failures == [])
        #expect(found(dictionary) == ["saved.receipt: appReceipt"])
        for broken in ["<plist><dict><key>a</key>", "<?xml version=\"1.0\"?><html/>", "<plist><dict><true/></dict>"] {
            #expect(inspect(broken).failures == [.structure])
        }
        let deep = "<plist>" + String(repeating: "<array>", count: 100_000)
        #expect(inspect(deep).failures == [.structure])
        let binary = Inspector(samples.context).inspect(Array("bplist00".utf8) + [0xD1, 1, 2, 8])
        #expect(binary.kind == .propertyList && binary.codes == [.plistBinary])
    }

    @Test func `certificates of x5c are a chain, whose order counts`() throws {
        let chain = [
            samples.identities.transactionLeaf.encoding, samples.identities.transactionIntermediate.encoding,
            samples.identities.rootCertificate,
        ].map { "\"\($0.base64)\"" }
        for text in [
            "[\(chain.joined(separator: ","))]", chain.joined(separator: ",\n"),
            "\"x5c\": [\(chain.joined(separator: ", "))],",
        ] {
            let inspection = inspect(text)
            #expect(inspection.kind == .certificateChain && inspection.failures == [], "\(text.prefix(40))")
            #expect(inspection[.certificateOrder]?.outcome == .passed && inspection.certificates.count == 3)
        }
        #expect(inspect("[\(chain.reversed().joined(separator: ","))]").codes.contains(.orderWrong))
        #expect(inspect("[\(chain[0]),\(chain[1])]").codes.contains(.certificateCount))
        let single = inspect(chain[0])
        // Its issuer isn't beside it, and this inspection knows no intermediates.
        #expect(single.kind == .certificate && single.codes.contains(.issuerMissing))
        #expect(inspect(chain[0].replacing("\"", with: "")).kind == .certificate)
        let header = inspect(#"{"alg":"ES256","x5c":[\#(chain.joined(separator: ","))]}"#)
        #expect(header.kind == .json && found(header) == ["x5c: certificateChain"] && header.failures == [])
    }

    @Test func `a private key inside of a command or a list isn't echoed`() {
        let pem = samples.key.pemRepresentation
        let secret = String(pem.split(separator: "\n")[1])
        for text in [
            "curl https://example.com -d '\(pem)'", "{\"key\":\"\(pem.replacing("\n", with: "\\n"))\"}",
            "<plist><dict><key>a</key><string>\(pem)</string></dict></plist>",
        ] {
            let inspection = inspect(text)
            #expect(inspection.kinds.contains(.privateKey) && !"\(inspection)".contains(secret), "\(text.prefix(30))")
        }
    }
}
