import AppStoreFormats
import Perennial
import PerennialStore

/// The certificates that the store signs with: explained, to download, to revoke.
struct CertificatesChapter: ConsoleChapter {
    private static let files: [(name: String, issuer: IssuingCertificate)] = [
        ("PerennialRootCA.cer", .root), ("PerennialReceiptRootCA.cer", .receiptRoot),
        ("PerennialTransactionsCA.cer", .transactions), ("PerennialReceiptsCA.cer", .receipts),
    ]
    private static let word = "revoke"

    func add(to routes: ConsoleRoutes) {
        routes.page("certificates", .administer) { try await Self.page($0) }
        routes.form("certificates", .administer) { try await Self.revoke($0) }
        routes.file("certificates/:file", .administer) { try Self.file($0) }
    }

    private static func page(
        _ request: PageRequest, error: Text? = nil, purposeError: Text? = nil
    ) async throws -> Page {
        let services = request.services
        var blocks: [Block] = [KeyTabs.links(request)]
        blocks += [.paragraph(.phrase(CertificatePhrases.explanation))]
        guard let authority = services.authority else {
            blocks.append(try await issuers([services.rootCertificate], request))
            blocks.append(.actions([download(files[0].name, request)]))
            return Page(.phrase(InspectionPhrases.certificates), .keys, blocks)
        }
        blocks.append(try await issuers(files.map { authority.certificate($0.issuer) }, request))
        blocks.append(.actions(files.map { download($0.name, request) }))
        let leaves = authority.leaves()
        blocks.append(
            .section(
                .phrase(CertificatePhrases.leaves),
                [
                    .facts(
                        leaves.map {
                            Fact(.phrase(CertificatePhrases.purpose($0.purpose)), .id($0.serialNumber))
                        })
                ]))
        let revocations = try authority.revocations()
        if !revocations.isEmpty { blocks.append(.table(table(of: revocations))) }
        let form = Form(
            request.path("certificates"), submit: .phrase(KeyPhrases.revoke), error: error,
            warning: .phrase(CertificatePhrases.revokeWarning), confirmation: word, isDangerous: true,
            same: SameCommand(
                "certificates revoke --purpose transactions",
                .init("POST", "control/v1/certificates/revoke", #"{"purpose": "transactions"}"#, isGlobal: true)),
            [
                Field(
                    "purpose", .phrase(KeyPhrases.opens),
                    .choice(
                        SigningLeaf.allCases.map { .init($0.rawValue, .phrase(CertificatePhrases.purpose($0))) }),
                    value: SigningLeaf.transactions.rawValue, error: purposeError)
            ])
        blocks.append(.section(.phrase(KeyPhrases.revoke), [.form(form)]))
        return Page(
            .phrase(InspectionPhrases.certificates), .keys,
            trail: [Link(.phrase(KeyPhrases.keys), request.path("keys"))],
            status: error == nil && purposeError == nil ? 200 : 422, blocks)
    }

    private static func download(_ name: String, _ request: PageRequest) -> Action {
        .download(Link(.data(name), request.path("certificates/\(name)")))
    }

    /// The certificates of issuers, each as the inspection reads it.
    private static func issuers(_ encodings: [[UInt8]], _ request: PageRequest) async throws -> Block {
        var certificates: [InspectedCertificate] = []
        for encoding in encodings {
            let inspection = try await request.store.inspections.inspect(
                InspectionRequest(encoding), authority: request.services.authority)
            if let own = inspection.certificates.first, !certificates.contains(own) { certificates.append(own) }
        }
        return .table(InspectionBlocks.table(of: certificates))
    }

    private static func table(of revocations: [String: CertificateRevocation]) -> Table {
        Table(
            caption: .phrase(CertificatePhrases.revokedCertificates),
            columns: [
                Table.Column(.phrase(InspectionPhrases.serialNumber), .leading, .primary),
                Table.Column(.phrase(Words.date), .leading, .primary),
            ],
            rows: revocations.sorted { ($0.value.date, $0.key) > ($1.value.date, $1.key) }.prefix(50).map {
                Table.Row([.id($0.key), Cell(.exact($0.value.date))])
            })
    }

    private static func revoke(_ form: FormRequest) async throws -> FormAnswer {
        guard let authority = form.page.services.authority else { throw ConsoleError.notFound(.none) }
        guard let leaf = SigningLeaf(rawValue: form.values["purpose"]) else {
            return .page(try await page(form.page, purposeError: .phrase(RefusalPhrases.choice)))
        }
        guard form.values["confirmation"] == word else {
            return .page(try await page(form.page, error: .phrase(KeyPhrases.confirmationWrong, .data(word))))
        }
        let revoked = try await authority.revoke(leaf, reason: .superseded)
        return .redirect(
            form.page.path("certificates"),
            .phrase(CertificatePhrases.isRevoked, .data(revoked.serialNumber), .data(revoked.replacement)))
    }

    private static func file(_ request: PageRequest) throws -> ConsoleFile {
        let name = request.parameter("file")
        guard let issuer = files.first(where: { $0.name == name })?.issuer else {
            throw ConsoleError.notFound(.data(name))
        }
        guard
            let bytes = request.services.authority?.certificate(issuer)
                ?? (issuer == .root ? request.services.rootCertificate : nil)
        else { throw ConsoleError.notFound(.data(name)) }
        return ConsoleFile(name: name, contentType: "application/pkix-cert", bytes: bytes)
    }
}

/// The words of the page about certificates.
enum CertificatePhrases {
    static let explanation = Phrase(
        "A leaf signs transactions and notifications, another one receipts. Each was issued by an intermediate, and that by "
            + "a root, which apps and servers trust in place of Apple’s.",
        fr:
            "Une feuille signe les transactions et notifications, une autre les reçus. Chacune est émise par un intermédiaire, lui-même par une racine, que les apps et serveurs approuvent au lieu de celle d’Apple.",
        pt:
            "Uma folha assina transações e notificações, outra assina recibos. Cada uma foi emitida por um intermediário, e este por uma raiz, em que apps e servidores confiam no lugar da raiz da Apple.",
        zh: "一個葉憑證簽署交易與通知，另一個簽署收據。它們由中繼憑證簽發，中繼憑證由根憑證簽發；App 與伺服器以此根憑證取代 Apple 的根憑證。",
        de:
            "Ein Blattzertifikat signiert Transaktionen und Mitteilungen, ein anderes Belege. Jedes stammt von einem Zwischenzertifikat und dieses von einem Root, dem Apps und Server statt Apples Root vertrauen."
    )
    static let leaves = Phrase(
        "Leaves in use", fr: "Feuilles utilisées", pt: "Folhas em uso", zh: "使用中的葉憑證",
        de: "Blattzertifikate in Gebrauch")
    static let revokedCertificates = Phrase(
        "Revoked certificates", fr: "Certificats révoqués", pt: "Certificados revogados", zh: "已撤銷的憑證",
        de: "Widerrufene Zertifikate")
    static let revokeWarning = Phrase(
        "A new leaf signs from now on. Verifiers that check revocation online refuse everything that the old one has signed.",
        fr:
            "Une nouvelle feuille signe dès maintenant. Les vérificateurs en ligne refusent tout ce que l’ancienne a signé.",
        pt: "Uma nova folha assina a partir de agora. Verificadores on-line recusam tudo o que a antiga assinou.",
        zh: "自此由新的葉憑證簽署。線上檢查撤銷的驗證程式會拒絕舊憑證簽署的一切。",
        de:
            "Ab sofort signiert ein neues Blattzertifikat. Prüfer mit Online-Abfrage lehnen alles ab, was das alte signiert hat."
    )
    static let isRevoked = Phrase(
        "%1 is revoked; %2 signs from now on.", fr: "%1 est révoqué ; %2 signe désormais.",
        pt: "%1 foi revogado; %2 assina a partir de agora.", zh: "已撤銷 %1；自此由 %2 簽署。",
        de: "%1 ist widerrufen; ab jetzt signiert %2.")

    static func purpose(_ leaf: SigningLeaf) -> Phrase {
        switch leaf {
        case .transactions:
            Phrase(
                "Transactions and notifications", fr: "Transactions et notifications", pt: "Transações e notificações",
                zh: "交易與通知", de: "Transaktionen und Mitteilungen")
        case .receipts: Phrase("Receipts", fr: "Reçus", pt: "Recibos", zh: "收據", de: "Belege")
        }
    }
}
