/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

/** A loaded library. */
public interface LoadedLibrary {
    /** {@return the address of a function, or 0 if the library has none of that name} */
    long address(String function);

    /** {@return the name that the library was opened by, and its file if known; for messages} */
    String describe();
}
