/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

/**
 * One combination.
 *
 * @param row the talk's row, 1 to 8; other combinations begin at 9
 * @param app the program
 * @param header the release whose header (and entry points) it is compiled against
 * @param library the release whose library it runs with
 * @param provider the provider whose device it uses
 * @param runtimeHeader the release whose header is loaded
 * @param modular true for the module path, false for the class path
 * @param jdk the JDK that it runs on
 */
public record Cell(
        int row,
        AppSource app,
        Release header,
        Release library,
        Subject provider,
        Release runtimeHeader,
        boolean modular,
        Jdk jdk) {

    /** {@return which header is loaded, in words} */
    public String headerWords() {
        int newest = Math.max(Math.max(header.level(), library.level()), provider.level());
        if (runtimeHeader.level() < newest) {
            return "run-time header " + runtimeHeader.name() + " (misaligned: older than "
                    + (runtimeHeader.level() < header.level()
                            ? "the program's"
                            : runtimeHeader.level() < library.level() ? "the library's" : "the provider's")
                    + ")";
        }
        return "run-time header " + runtimeHeader.name();
    }

    /** {@return the platform, in words} */
    public String platform() {
        return (modular ? "module path" : "class path") + ", " + jdk;
    }

    @Override
    public String toString() {
        return "row " + row + ": app " + app.name() + ", header " + header.name() + ", library " + library.name()
                + ", provider " + provider.name() + ", " + headerWords() + ", " + platform();
    }
}
