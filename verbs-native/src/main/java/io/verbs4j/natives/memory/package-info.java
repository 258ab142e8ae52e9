/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Memory outside the Java heap, by address. */
package io.verbs4j.natives.memory;
