/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** A second process of this program, as the peer. */
package io.verbs4j.tools.process;
