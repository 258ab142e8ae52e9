/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Transfers from submission to final completion, and their connections. For the engine's thread only. */
package io.verbs4j.bulk.transfer;
