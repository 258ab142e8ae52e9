/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

/** A library that is loaded. */
public interface LoadedLibrary {
    /** Where a function is; 0 where there is none of that name. */
    long address(String function);

    /** The name that it was asked for by, and its file where that is known; for messages. */
    String describe();
}
