/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Runs the programs of {@code examples} in separate processes. */
package io.verbs4j.netty.example;
