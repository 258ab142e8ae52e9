/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

/** What is known of a provider, fit for people; {@code "?"} and 0 stand for what could not be learnt. */
record ProviderIdentity(String name, String className, String location, int level, int minimumLibraryLevel) {
    static final String UNKNOWN = "?";

    ProviderIdentity {
        className = Printable.line(className);
        location = Printable.line(location);
    }

    static ProviderIdentity unnamed(String className, String location) {
        return new ProviderIdentity(UNKNOWN, className, location, 0, 0);
    }
}
