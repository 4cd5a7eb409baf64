import BaseEncoding
import Foundation
import Perennial
import Testing

@testable import AppStoreFormats

/// Each form of a receipt is recognised; each defect fails its check, and no other.
struct InspectionReceiptTests {
    private let samples: InspectionSamples
    private let receipt: [UInt8]

    init() throws {
        samples = try InspectionSamples()
        receipt = try samples.receipt()
    }

    private func inspect(_ text: String) -> Inspection { InspectionSamples.inspect(text, samples.context) }

    @Test func `a receipt is recognised in each wrapping`() throws {
        let text = receipt.base64
        let lines = stride(from: 0, to: text.count, by: 76).map { String(text.dropFirst($0).prefix(76)) }
        let percent = text.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
        let wrappings = [
            text, " \(text)\n", lines.joined(separator: "\r\n"), "\"\(text)\"", "'\(text)',", percent,
            "receipt-data=\(percent)", text.replacing("/", with: "\\/"), "\"receipt-data\": \"\(text)\",",
            Hexadecimal.encode(receipt),
        ]
        for wrapping in wrappings {
            let inspection = inspect(wrapping)
            #expect(inspection.kind == .appReceipt && inspection.failures == [], "\(wrapping.prefix(40))")
        }
        #expect(Inspector(samples.context).inspect(receipt).failures == [])
        let request = inspect(#"{"receipt-data":"\#(text)","password":"secret"}"#)
        #expect(request.kind == .verifyReceiptRequest && request.failures == [])
        #expect(!"\(request)".contains("\"secret\""))
        #expect(request.references.contains(InspectionReference(.transaction, "2000000000000003")))
    }

    @Test func `each check of a sound receipt passes`() {
        let inspection = inspect(receipt.base64)
        let names: [Inspection.Check.Name] = [
            .encoding, .structure, .algorithm, .chain, .root, .markers, .validity, .revocation, .signature, .contents,
            .signingTime, .environment, .bundleID, .device,
        ]
        #expect(inspection.checks.filter { $0.outcome == .passed }.map(\.name) == names)
        #expect(inspection.certificates.map(\.role) == [.leaf, .intermediate, .root])
        let product = inspection.fields.first { $0.name == "bundle_id" }
        #expect(product?.value == "com.example.magazine" && product?.meaning.isEmpty == false)
    }

    @Test func `a wrong encoding fails its check`() {
        let text = receipt.base64
        let url = Base64.encode(receipt, as: .url)
        #expect(inspect(url).failures == [.encoding])
        #expect(inspect(Array(text.utf8).base64).codes == [.encodedTwice])
        #expect(inspect(text.replacing("+", with: " ")).codes == [.spacesForPlus])
        // A space at the end of pasted text is invisible.
        let sequence = "MBz77/vv++/77/vv++/77/vv++/77/vv++/77/u+"
        #expect(inspect(sequence.replacing("+", with: " ")).codes.contains(.spacesForPlus))
        let unpadded = String(text.prefix { $0 != "=" })
        if unpadded != text { #expect(inspect(unpadded).codes == [.paddingMissing]) }
        #expect(inspect(String(text.prefix(2001))).failures == [.encoding, .structure])
        #expect(inspect(String(text.prefix(2000))).codes == [.truncated])
    }

    @Test func `a defect of the contents fails its check`() throws {
        let production = try samples.receipt { $0.receiptType = .production }
        #expect(inspect(production.base64).codes == [.receiptElsewhere])
        let other = try samples.receipt { $0.bundleID = "com.example.other" }
        #expect(Set(inspect(other.base64).failures) == [.bundleID, .device])
        let future = try samples.receipt { $0.creationDate = Date(timeIntervalSince1970: 1_892_000_000) }
        #expect(inspect(future.base64).codes == [.signedInFuture])
        var context = samples.context
        context.device = Array(repeating: 8, count: 16)
        #expect(InspectionSamples.inspect(receipt.base64, context).codes == [.deviceDiffers])
        context.device = nil
        #expect(InspectionSamples.inspect(receipt.base64, context)[.device]?.outcome == .skipped)
    }

    @Test func `a defect of signature or chain fails its check`() throws {
        let changed = receipt.changed(at: receipt.count - 10)
        #expect(inspect(changed.base64).failures == [.signature])
        let another = try samples.receipt(by: TestIdentities.another)
        #expect(inspect(another.base64).codes == [.rootOfAnotherStore])
        // Valid to 2060, and made at another date.
        let limited = try samples.receipt({ $0.creationDate = .distantPast }, by: TestIdentities.limited)
        let late = inspect(limited.base64)
        #expect(late.codes.contains(.certificateNotYetValid))
        var context = samples.context
        let leaf = try #require(ChainCertificate(samples.identities.receiptLeaf.encoding)?.serialNumber)
        context.revocations = [leaf: CertificateRevocation(date: .init(milliseconds: 0), reason: .keyCompromise)]
        #expect(InspectionSamples.inspect(receipt.base64, context).codes == [.revoked])
        context.revocations = [:]
        context.roots = [.init(.signedData, samples.identities.receiptRootCertificate)]
        #expect(InspectionSamples.inspect(receipt.base64, context).codes == [.rootOfOtherPurpose])
        context.roots = []
        #expect(InspectionSamples.inspect(receipt.base64, context)[.root]?.outcome == .skipped)
    }

    @Test func `SHA-1 is named, and accepted`() throws {
        let signer = ReceiptSigner(identities: samples.identities, digest: .sha1)
        var receipt = SampleReceipts.small
        receipt.purchases = []
        let inspection = inspect(try signer.sign(receipt).base64)
        #expect(inspection.failures == [] && inspection[.algorithm]?.finding.code == .digestSHA1)
    }

    @Test func `a request without the secret that it needs is told so`() throws {
        let renewing = try samples.receipt { $0.purchases = [SampleReceipts.subscription] }
        #expect(inspect(#"{"receipt-data":"\#(renewing.base64)"}"#).codes == [.secretMissing])
        #expect(inspect(#"{"status":21007}"#).codes == [.statusSandbox])
        #expect(inspect(#"{"status":0,"environment":"Sandbox","latest_receipt":"\#(receipt.base64)"}"#).failures == [])
    }

    @Test func `an old transaction receipt is verified`() throws {
        let text = try samples.transactionReceipt()
        var inspection = inspect(text)
        #expect(inspection.kind == .transactionReceipt && inspection.failures == [])
        inspection = inspect(try samples.transactionReceipt(.production))
        #expect(inspection.codes == [.receiptElsewhere])
        let bytes = try #require(Base64.decode(text))
        let plist = String(decoding: bytes, as: UTF8.self)
        #expect(inspect(plist).kind == .transactionReceipt)
        #expect(inspect(String(plist.dropLast(40))).failures == [.structure])
    }

    @Test func `a receipt of Xcode is named as one`() throws {
        // ContentInfo with an indefinite length.
        let bytes: [UInt8] = [0x30, 0x80] + ReceiptContainer.signedData + [0xA0, 0x80, 0x30, 0x80, 2, 1, 1]
        let inspection = inspect(bytes.base64)
        #expect(inspection.kind == .appReceipt && inspection.codes.first == .xcodeForm)
    }
}
