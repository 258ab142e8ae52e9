/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The tests of verbs-netty, for programs on devices other than the embedded one. */
package io.verbs4j.compat.netty;
