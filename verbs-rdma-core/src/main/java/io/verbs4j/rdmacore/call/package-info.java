/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The C functions: those that libibverbs and libc export, and those behind the pointers of an open context. */
package io.verbs4j.rdmacore.call;
