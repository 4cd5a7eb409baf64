import Foundation
import PerennialSimulation
import Testing

struct ArrivedNotificationTests {
    private static func signed(_ payload: String, _ signature: String) -> String {
        "\(encoded("{\"alg\":\"ES256\"}")).\(encoded(payload)).\(signature)"
    }

    private static func encoded(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
    }

    private static func body(product: String, signatures: [String]) -> [UInt8] {
        let transaction = signed(
            "{\"transactionId\":\"2\",\"originalTransactionId\":\"1\",\"productId\":\"\(product)\"}", signatures[0])
        let payload = """
            {"notificationType":"DID_RENEW","notificationUUID":"u","signedDate":5,\
            "data":{"signedTransactionInfo":"\(transaction)"}}
            """
        return Array("{\"signedPayload\":\"\(signed(payload, signatures[1]))\"}".utf8)
    }

    /// The text that is digested, in place of its digest.
    private static func digest(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `other signatures are the same contents`() {
        let first = ArrivedNotification.notification(
            Self.body(product: "a", signatures: ["c2ln", "c2ln"]), Self.digest)
        let second = ArrivedNotification.notification(
            Self.body(product: "a", signatures: ["b25l", "dHdv"]), Self.digest)
        #expect(first == second)
        #expect(first.original == "1")
        #expect(first.transaction == "2")
        #expect(first.digest?.contains("c2ln") == false)
    }

    @Test func `another product in the signed transaction is other contents`() {
        let first = ArrivedNotification.notification(
            Self.body(product: "a", signatures: ["c2ln", "c2ln"]), Self.digest)
        let second = ArrivedNotification.notification(
            Self.body(product: "b", signatures: ["c2ln", "c2ln"]), Self.digest)
        #expect(first != second)
    }

    @Test func `an unreadable body is digested whole`() {
        #expect(ArrivedNotification.notification(Array("{".utf8), Self.digest).digest == "{")
    }
}
