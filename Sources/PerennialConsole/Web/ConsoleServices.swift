import AppStoreFormats
import Perennial
import PerennialConnect
import PerennialDelivery
import PerennialStorage
import PerennialStore

/// The use cases of one process, for all chapters.
package struct ConsoleServices: Sendable {
    package let registry: StoreRegistry
    package let catalog: CatalogEditor
    /// Keys, secrets and the team.
    package let keys: APIKeys
    /// DER.
    package let rootCertificate: [UInt8]
    /// `nil` where certificates aren't managed.
    package let authority: CertificateAuthority?
    /// The content server of this process; `nil` without one.
    package let delivery: Delivery?
    /// The real time.
    package let wallClock: @Sendable () -> Instant
    /// The version of the program.
    package let version: String
    package let randomBytes: @Sendable (Int) -> [UInt8]
    /// Pages that are made in the background.
    package let computed: ComputedPages

    package init(
        registry: StoreRegistry, catalog: CatalogEditor, keys: APIKeys, rootCertificate: [UInt8],
        authority: CertificateAuthority?, delivery: Delivery?, version: String = "",
        wallClock: @escaping @Sendable () -> Instant,
        randomBytes: @escaping @Sendable (Int) -> [UInt8], computed: ComputedPages = ComputedPages()
    ) {
        self.registry = registry
        self.catalog = catalog
        self.keys = keys
        self.rootCertificate = rootCertificate
        self.authority = authority
        self.delivery = delivery
        self.wallClock = wallClock
        self.version = version
        self.randomBytes = randomBytes
        self.computed = computed
    }
}
