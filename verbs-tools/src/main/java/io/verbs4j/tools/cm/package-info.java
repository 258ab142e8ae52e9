/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Peers that are found and connected by address. */
package io.verbs4j.tools.cm;
