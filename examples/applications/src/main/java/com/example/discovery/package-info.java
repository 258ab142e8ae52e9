/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * A discovery by datagrams, with a connection for what is too long: begin with Discovery, then Finder and Responder.
 */
package com.example.discovery;
