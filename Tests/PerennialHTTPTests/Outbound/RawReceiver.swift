import Crypto
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import SwiftASN1
import Synchronization
import X509

/// A receiver of notifications on a socket, byte by byte: what an HTTP server would never do, it does.
final class RawReceiver: Sendable {
    enum Behaviour: Sendable, Equatable {
        /// Writes this and closes.
        case answer(String)
        /// Reads all, and ends the connection without a word.
        case close
        /// Ends the connection at the first byte, with an error for who writes.
        case reset
        /// Omits an answer.
        case silence
        /// Writes this, then nothing more, and keeps the connection.
        case stall(String)
        /// Writes this, then a space every few milliseconds, for as long as the connection lasts.
        case dribble(String)
    }

    let port: Int
    private let channel: any Channel
    private let seen: Requests

    /// The bytes read, in the order of connections.
    var requests: [String] { seen.texts.withLock { $0 } }

    /// The number of connections.
    var connections: Int { seen.connections.withLock { $0 } }

    private final class Requests: Sendable {
        let texts = Mutex<[String]>([])
        let connections = Mutex(0)
    }

    /// Lends a receiver for as long as a body runs.
    static func run(
        tls: NIOSSLContext? = nil, _ behaviour: @escaping @Sendable (_ request: String) -> Behaviour,
        _ body: (RawReceiver) async throws -> Void
    ) async throws {
        let receiver = try await RawReceiver(tls: tls, behaviour)
        do {
            try await body(receiver)
        } catch {
            try? await receiver.channel.close()
            throw error
        }
        try await receiver.channel.close()
    }

    private init(tls: NIOSSLContext?, _ behaviour: @escaping @Sendable (String) -> Behaviour) async throws {
        let seen = Requests()
        self.seen = seen
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                seen.connections.withLock { $0 += 1 }
                return channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.addHandler(
                        Handler(behaviour: behaviour) { text in seen.texts.withLock { $0.append(text) } })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let behaviour: @Sendable (String) -> Behaviour
        private let note: @Sendable (String) -> Void
        private var text = ""
        /// RFC 8446, 5.1.
        private static let handshakeRecord: UInt8 = 22
        private var hasAnswered = false

        init(behaviour: @escaping @Sendable (String) -> Behaviour, note: @escaping @Sendable (String) -> Void) {
            self.behaviour = behaviour
            self.note = note
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: unwrapInboundIn(data))
            guard !hasAnswered else { return }
            let kind = behaviour(text)
            if case .reset = kind {
                hasAnswered = true
                let atOnce = linger(l_onoff: 1, l_linger: 0)
                let channel = context.channel
                (channel as? any SocketOptionProvider)?.setSoLinger(atOnce).whenComplete { _ in
                    channel.close(promise: nil)
                }
                return
            }
            guard isComplete else { return }
            hasAnswered = true
            note(text)
            switch kind {
            case .answer(let answer):
                let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer))).whenComplete { _ in
                    bound.value.close(promise: nil)
                }
            case .close: context.close(promise: nil)
            case .reset, .silence: break
            case .stall(let text): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            case .dribble(let text):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
                let channel = context.channel
                let task = context.eventLoop.scheduleRepeatedTask(
                    initialDelay: .zero, delay: .milliseconds(5)
                ) { _ in
                    channel.writeAndFlush(ByteBuffer(string: " "), promise: nil)
                }
                channel.closeFuture.whenComplete { _ in task.cancel() }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        private var isComplete: Bool {
            // A client that begins with TLS, where there is none, gets what a server says to no HTTP.
            guard text.utf8.first != Self.handshakeRecord else { return true }
            guard let head = text.firstRange(of: "\r\n\r\n") else { return false }
            let length = text.firstMatch(of: /(?i)content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
            return text[head.upperBound...].utf8.count >= length
        }
    }
}

/// An untrusted certificate.
enum SelfSignedCertificate {
    static func context() throws -> NIOSSLContext {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("localhost") }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
            notValidBefore: Date(timeIntervalSince1970: 1_700_000_000),
            notValidAfter: Date(timeIntervalSince1970: 4_000_000_000), issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions { SubjectAlternativeNames([.dnsName("localhost")]) },
            issuerPrivateKey: .init(key))
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [
                    .certificate(try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der))
                ],
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der))))
    }
}
