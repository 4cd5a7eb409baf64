extension Migration {
    /// The installations of apps on customers' devices, from which downloads and updates follow, and the storefront of
    /// an app's download in the journal.
    ///
    /// Devices that signed in before have downloaded their apps already.
    package static let downloads = Migration(
        number: 25, name: "downloads",
        statements: [
            "ALTER TABLE journal ADD COLUMN storefront TEXT",
            """
            CREATE TABLE app_installations (
                environment BIGINT NOT NULL,
                app BIGINT NOT NULL,
                account BIGINT NOT NULL,
                device TEXT NOT NULL,
                family TEXT,
                version TEXT NOT NULL,
                is_installed BIGINT NOT NULL,
                changed BIGINT NOT NULL,
                PRIMARY KEY (environment, app, account, device)) /*WITHOUT ROWID*/
            """,
            """
            INSERT INTO app_installations (environment, app, account, device, family, version, is_installed, changed)
            SELECT environment, app, account, device, family, application_version, is_installed, signed_in FROM devices
            """,
        ])
}
