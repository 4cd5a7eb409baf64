import AppStoreFormats
import BaseEncoding
import Foundation
import Hummingbird
import Logging
import OpenStoreKit
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStorage
import PerennialStore
import Synchronization

/// A store in the memory of the process with the app of one configuration file. Each session is an environment of it.
final class StoreHost: Sendable {
    let database: Database
    let registry: StoreRegistry
    let app: Apps.Registered
    let keys: APIKeys
    let router: PerennialRouter
    /// The routes of clients.
    let responder: any HTTPResponder<BasicConnectionContext>
    let channels = InProcessChannels()
    let controlToken: String
    private let times: EnvironmentTimes
    private let names = Mutex(0)

    static let logger = Logger(label: "org.perennial.OpenStoreKitTest") { _ in SwiftLogNoOpLogHandler() }

    private init(_ configuration: SessionConfiguration) async throws {
        let times = EnvironmentTimes()
        self.times = times
        database = try Database(inMemory: try ProcessParts.emptyDatabase.get())
        let signing = try ProcessSigning.signing.get()
        var dependencies = StoreDependencies(
            database: database, signing: signing, wallClock: Self.now, randomBytes: Self.randomBytes,
            notificationSender: SessionNotificationSender(), logger: Self.logger)
        dependencies.environmentClock = { times.clock(of: $0.name) }
        registry = StoreRegistry(dependencies)
        try await registry.prepare()
        let apps = Apps(database: database, wallClock: Self.now, randomBytes: Self.randomBytes)
        app = try await apps.register(configuration.app, groups: configuration.groups, sharedSecret: nil)
        keys = APIKeys(database: database, wallClock: Self.now, randomBytes: Self.randomBytes)
        controlToken = Hexadecimal.encode(Self.randomBytes(16))
        var router = PerennialRouter(
            registry: registry, controlToken: controlToken,
            rootCertificate: try ProcessSigning.identities.get().rootCertificate,
            delivery: nil, nanoseconds: { DispatchTime.now().uptimeNanoseconds })
        router.keys = keys
        self.router = router
        responder = router.makeStore().buildResponder()
        if let key = configuration.offerKey { try await register(key, in: configuration.path) }
    }

    /// Makes the environment of a session.
    func makeEnvironment(on time: SessionTime) async throws -> Store {
        let number = names.withLock { number in
            number += 1
            return number
        }
        let name = "session-\(number)"
        times.set({ time.now }, of: name)
        _ = try await registry.makeEnvironment(name, kind: .xcode, clock: .real, now: nil)
        guard let store = try await registry.store(named: name) else {
            throw SKTestError(.serviceUnavailable, "\(name): the environment was made and is not there")
        }
        return store
    }

    /// Removes the environment of a session that ended.
    func removeEnvironment(_ name: String) async {
        try? await registry.removeEnvironment(name)
        times.set(nil, of: name)
    }

    @Sendable static func now() -> Instant { DeviceDependencies.device.now() }

    @Sendable static func randomBytes(_ count: Int) -> [UInt8] { DeviceDependencies.device.randomBytes(count) }

    static func uuid() -> UUID {
        randomBytes(16).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

/// The clocks of a host's environments.
private final class EnvironmentTimes: Sendable {
    private let clocks = Mutex<[String: @Sendable () -> Instant]>([:])

    func clock(of environment: String) -> (@Sendable () -> Instant)? { clocks.withLock { $0[environment] } }

    func set(_ clock: (@Sendable () -> Instant)?, of environment: String) {
        clocks.withLock { $0[environment] = clock }
    }
}

extension StoreHost {
    /// Hosts that stay in memory without a session, newest last.
    private static let maximumIdleHosts = 4

    private struct Key: Hashable {
        var bundleID: App.BundleID
        var digest: [UInt8]
    }

    private struct Known {
        weak var host: StoreHost?
    }

    private struct Hosts {
        var known: [Key: Known] = [:]
        var recent: [StoreHost] = []
    }

    private static let hosts = Mutex(Hosts())

    /// Returns the host of a configuration, made at first use.
    static func host(of configuration: SessionConfiguration) async throws -> StoreHost {
        let key = Key(bundleID: configuration.bundleID, digest: configuration.digest)
        if let host = hosts.withLock({ $0.known[key]?.host }) {
            keep(host)
            return host
        }
        // Of two hosts made at once, one stays for later sessions.
        let made = try await StoreHost(configuration)
        let host = hosts.withLock { hosts in
            if let host = hosts.known[key]?.host { return host }
            hosts.known = hosts.known.filter { $0.value.host != nil }
            hosts.known[key] = Known(host: made)
            return made
        }
        keep(host)
        return host
    }

    private static func keep(_ host: StoreHost) {
        // Released outside of the lock.
        let released = hosts.withLock { hosts -> StoreHost? in
            hosts.recent.removeAll { $0 === host }
            hosts.recent.append(host)
            return hosts.recent.count > maximumIdleHosts ? hosts.recent.removeFirst() : nil
        }
        _ = released
    }
}
