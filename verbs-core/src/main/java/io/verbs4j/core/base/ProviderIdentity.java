/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.base;

/**
 * What is known of a provider, fit for people; {@code "?"} and 0 stand for what could not be learnt.
 *
 * @param origin the jar or directory that it came from, in words; or its class, which tells that when it is asked
 */
public record ProviderIdentity(String name, String className, Object origin, int level, int minimumLibraryLevel) {
    public static final String UNKNOWN = "?";

    public ProviderIdentity {
        className = Printable.line(className);
    }

    public static ProviderIdentity unnamed(String className, String location) {
        return new ProviderIdentity(UNKNOWN, className, location, 0, 0);
    }

    /** The jar or directory that it came from. Found out when it is to be told, not before the first message. */
    public String location() {
        return Printable.line(origin instanceof Class<?> type ? Origin.of(type) : (String) origin);
    }
}
