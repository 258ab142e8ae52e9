/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.base;

/**
 * What is known about a provider, printable; {@code "?"} and 0 stand for the unknown.
 *
 * @param origin the jar or directory that it came from, or its class, from which {@link #location} derives it
 */
public record ProviderIdentity(String name, String className, Object origin, int level, int minimumLibraryLevel) {
    public static final String UNKNOWN = "?";

    public ProviderIdentity {
        className = Printable.line(className);
    }

    public static ProviderIdentity unnamed(String className, String location) {
        return new ProviderIdentity(UNKNOWN, className, location, 0, 0);
    }

    /** The jar or directory that the provider came from. Looked up for messages only, not before the first transfer. */
    public String location() {
        return Printable.line(origin instanceof Class<?> type ? Origin.of(type) : (String) origin);
    }
}
